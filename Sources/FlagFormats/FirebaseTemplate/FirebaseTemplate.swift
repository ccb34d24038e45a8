package import FlagModel

/// A template of Firebase Remote Config: parameters, and the conditions that choose among their values.
///
/// There are two kinds. Those for servers have conditions as trees, which servers evaluate themselves. Those for clients have
/// conditions as texts that only Firebase's own servers evaluate.
package struct FirebaseTemplate: Sendable {
    /// The conditions; the first one that holds and has a value for a parameter wins.
    package let conditions: [TemplateCondition]
    /// What the groups are about, by their names, where that is said.
    package let groupDetails: [FlagText: FlagText]
    /// The parameters: first those of groups, in the order of the text, then those without one.
    package let parameters: [TemplateParameter]
    /// Which version it is, where it says so.
    package let version: TemplateVersion?
    /// What is not as Firebase writes it, and what was done about it.
    package let problems: [DocumentProblem]

    /// Reads a template.
    ///
    /// - Throws: that the text is no JSON, or no object.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        try self.init(JSONDocument(document: bytes))
    }

    /// Reads a template from JSON.
    package init(_ document: JSONDocument) throws(DocumentError) {
        guard document.root.kind == .object else {
            throw .unknownShape("the template is \(document.root.kindWords); expected an object")
        }
        var reader = FirebaseTemplateReader(document)
        reader.read(document.root)
        conditions = reader.conditions
        groupDetails = reader.groupDetails
        parameters = reader.parameters
        version = TemplateVersion(document.root["version"])
        problems = reader.problems
    }

    /// All members that a template has at its top.
    private static let topMembers: [FlagText] = ["conditions", "parameters", "parameterGroups", "version", "etag"]

    /// Whether an object is a template and not a map of values that happens to have a key `parameters`: it has no member
    /// besides a template's, or one of its parameters looks like one.
    static func isTemplate(_ root: JSONValue) -> Bool {
        let homes = ["parameters", "parameterGroups"].compactMap { root[$0] }.filter { $0.kind == .object }
        guard !homes.isEmpty else { return false }
        if root.members.allSatisfy({ topMembers.contains($0.key) }) { return true }
        let groups = root.members(of: "parameterGroups").map(\.value) + [root]
        return groups.contains { group in
            group.members(of: "parameters").contains {
                $0.value["defaultValue"] != nil || $0.value["conditionalValues"] != nil
            }
        }
    }

    /// The names of the conditions, each once, in the order that decides.
    package var conditionNames: [FlagText] {
        var known: Set<FlagText> = []
        return conditions.compactMap(\.name).filter { known.insert($0).inserted }
    }

    /// What decides each condition. Of two of one name the last one counts.
    package var rules: [FlagText: TemplateCondition.Rule] {
        Dictionary(conditions.compactMap { one in one.name.map { ($0, one.rule) } }) { _, last in last }
    }
}

/// A condition with its name.
package struct TemplateCondition: Sendable, Hashable {
    /// What decides whether it holds.
    package enum Rule: Sendable, Hashable {
        /// A tree, in templates for servers.
        case tree(ConditionNode)
        /// A text such as `device.os == 'ios'`, in templates for clients.
        case expression(FlagText)
    }

    /// The name that parameters refer to; without one no parameter can.
    package let name: FlagText?
    /// What decides whether it holds.
    package let rule: Rule
}

/// A parameter with everything that its value can be.
package struct TemplateParameter: Sendable, Hashable {
    /// A value under a condition.
    package struct Conditional: Sendable, Hashable {
        /// The condition's name.
        package let condition: FlagText
        /// The value where it holds.
        package let value: ParameterValue
    }

    /// The key.
    package let key: FlagText
    /// The group that the console shows it in.
    package let group: FlagText?
    /// What it does.
    package let details: FlagText?
    /// The type that the template declares; `nil` where it declares none.
    package let declaredType: FlagType?
    /// The value where no condition decides.
    package let defaultValue: ParameterValue
    /// The values under conditions, in the order of the text, which decides nothing.
    package let conditionalValues: [Conditional]
}

/// What a parameter's value can be (`RemoteConfigParameterValue` of the REST reference).
package enum ParameterValue: Sendable, Hashable {
    /// A text.
    case text(FlagText)
    /// Whatever the app has compiled in.
    case inAppDefault
    /// A text for some share of the clients.
    case rollout(id: FlagText?, text: FlagText?, percent: FlagText?)
    /// A value that Firebase chooses for each user.
    case personalization(id: FlagText?)
    /// One value for each variant of an experiment.
    case experiment(id: FlagText?, variants: [Variant])
    /// A form that came later.
    case unknown
    /// None at all, or an empty object.
    case absent

    /// A variant of an experiment.
    package struct Variant: Sendable, Hashable {
        /// Its name.
        package let id: FlagText?
        /// Its value; `nil` where it changes nothing.
        package let text: FlagText?
    }
}

/// Which version of a template it is.
package struct TemplateVersion: Sendable, Hashable {
    /// The number; it grows with every change.
    package let number: Int?
    /// When it was published.
    package let updatedAt: Timestamp?
    /// What published it, such as `CONSOLE`.
    package let origin: FlagText?
    /// How, such as `ROLLBACK`.
    package let type: FlagText?
    /// Who published it.
    package let userEmail: FlagText?
    /// What its publisher said about it.
    package let details: FlagText?
    /// The number of the version that it brings back.
    package let rollbackSource: Int?

    /// Reads a version; `nil` where there is none. Whole numbers are texts in Firebase's JSON.
    package init?(_ value: JSONValue?) {
        guard let value, value.kind == .object else { return nil }
        func number(_ key: String) -> Int? { value[key]?.flagText.flatMap { Int($0.string) } }
        self.number = number("versionNumber")
        updatedAt = value["updateTime"]?.text.flatMap { Timestamp(rfc3339: $0.string) }
        origin = value["updateOrigin"]?.text
        type = value["updateType"]?.text
        userEmail = value["updateUser"]?["email"]?.text
        details = value["description"]?.text
        rollbackSource = number("rollbackSource")
    }
}
