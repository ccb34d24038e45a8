package import FlagModel

/// A template of Firebase Remote Config: parameters, and the conditions that choose among their values.
///
/// There are two kinds. Server templates have conditions as trees, which servers evaluate themselves. Client templates
/// have conditions as expressions that only Firebase's own servers evaluate.
package struct FirebaseTemplate: Sendable {
    /// The conditions; the first one that applies and has a value for a parameter wins.
    package let conditions: [TemplateCondition]
    /// The descriptions by group name. A group without a description is missing.
    package let groupDetails: [FlagText: FlagText]
    /// The parameters: first those of groups, in the order of the text, then those without a group.
    package let parameters: [TemplateParameter]
    /// The version; `nil` if the text does not include it.
    package let version: TemplateVersion?
    /// Whether the text is only the parameters, without the template around them.
    package let isBare: Bool
    /// The parts that are not in Firebase's format, and how they were handled.
    package let issues: [DocumentIssue]

    /// Parses a template.
    ///
    /// - Throws: an error if the text is not a JSON object.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(JSONDocument(document: bytes))
        } catch {
            throw error.explained(by: bytes)
        }
    }

    /// Decodes a template from JSON.
    package init(_ document: JSONDocument) throws(DocumentError) {
        guard document.root.kind == .object else {
            throw .unknownShape("the template is \(document.root.kindWords); expected an object")
        }
        var reader = FirebaseTemplateReader(document)
        isBare = !Self.isTemplate(document.root) && Self.isParameters(document.root)
        if isBare {
            reader.readParameters(document.root, of: nil)
            for (key, value) in document.root.members where value.kind == .object && !Self.hasParameterForm(value) {
                reader.log.add("the parameter \(key.quoted) has no value", at: value)
            }
        } else {
            reader.read(document.root)
        }
        conditions = reader.conditions
        groupDetails = reader.groupDetails
        parameters = reader.parameters
        version = TemplateVersion(document.root["version"])
        issues = reader.log.issues
    }

    /// All top-level members of a template.
    private static let topMembers: [FlagText] = ["conditions", "parameters", "parameterGroups", "version", "etag"]

    /// Whether an object is a template, rather than flag values that happen to have the key `parameters`. A template
    /// has no other members than ``topMembers``, or a member of its `parameters` has the form of a parameter. Without
    /// parameters, it has conditions.
    static func isTemplate(_ root: JSONValue) -> Bool {
        let hasOnlyTopMembers = root.hasOnly(topMembers)
        guard ["parameters", "parameterGroups"].contains(where: { root[$0]?.kind == .object }) else {
            return hasOnlyTopMembers
                && root.member("conditions").has { $0.has("name") && ($0.has("expression") || $0.has("condition")) }
        }
        if hasOnlyTopMembers { return true }
        let groups = root.members(of: "parameterGroups").map(\.value) + [root]
        return groups.contains { group in
            group.members(of: "parameters").contains {
                $0.value["defaultValue"] != nil || $0.value["conditionalValues"] != nil
            }
        }
    }

    /// Whether an object is the parameters of a template without the template around them: its first members have only
    /// members of a parameter, and one has a form that no value of a flag has.
    static func isParameters(_ root: JSONValue) -> Bool {
        let isParameter: (JSONValue) -> Bool = {
            $0.kind == .object && [nil, .null, .object].contains($0.member("defaultValue")?.kind)
                && $0.hasOnly(["defaultValue", "conditionalValues", "description", "valueType"])
        }
        return root.kind == .object && Optional(root).has(isParameter)
            && root.members.prefix(KnownFormat.memberLimit).contains { isParameter($1) && hasParameterForm($1) }
    }

    private static func hasParameterForm(_ value: JSONValue) -> Bool {
        value.has("conditionalValues", .object)
            || value.member("defaultValue").map { text in ParameterValue.members.contains { text.has($0) } } == true
            || (value.member("valueType")?.text).map { FlagType.ofFirebase[$0.string] != nil } == true
    }

    /// The names of the conditions in order of precedence; a duplicate name is listed once, at its first place.
    package var conditionNames: [FlagText] {
        var seen: Set<FlagText> = []
        return conditions.compactMap(\.name).filter { seen.insert($0).inserted }
    }

    /// The rule of each condition, by its name. If several conditions have the same name, the last one's rule counts.
    package var rules: [FlagText: TemplateCondition.Rule] {
        Dictionary(conditions.compactMap { condition in condition.name.map { ($0, condition.rule) } }) { $1 }
    }
}

/// A condition with its name.
package struct TemplateCondition: Sendable, Hashable {
    /// The rule that decides whether the condition applies.
    package enum Rule: Sendable, Hashable {
        /// A tree, in server templates.
        case tree(ConditionNode)
        /// A text such as `device.os == 'ios'`, in client templates.
        case expression(FlagText)
    }

    /// The name by which parameters refer to the condition; `nil` if the condition has none.
    package let name: FlagText?
    /// The rule that decides whether the condition applies.
    package let rule: Rule
}

/// A parameter with all its possible values.
package struct TemplateParameter: Sendable, Hashable {
    /// A value under a condition.
    package struct Conditional: Sendable, Hashable {
        /// The condition's name.
        package let condition: FlagText
        /// The value if the condition applies.
        package let value: ParameterValue
    }

    package let key: FlagText
    /// The group in the console.
    package let group: FlagText?
    /// The description.
    package let details: FlagText?
    /// The declared type; `nil` if there is none.
    package let declaredType: FlagType?
    /// The value if no condition decides.
    package let defaultValue: ParameterValue
    /// The values under conditions, in the order of the text. Their precedence is the order of the template's
    /// conditions.
    package let conditionalValues: [Conditional]

    /// The value under a condition; the default value for `nil`.
    package func value(under condition: FlagText?) -> ParameterValue {
        guard let condition else { return defaultValue }
        return conditionalValues.first { $0.condition == condition }?.value ?? .absent
    }

    /// The rank of the best value, as values of a type.
    func rank(as type: FlagType?) -> Int {
        conditionalValues.map { $0.value.rank(as: type) }.reduce(defaultValue.rank(as: type), max)
    }
}

/// A possible value of a parameter (`RemoteConfigParameterValue` of the REST reference).
package enum ParameterValue: Sendable, Hashable {
    case text(FlagText)
    /// The value compiled into the app.
    case inAppDefault
    /// A text for a percentage of the clients.
    case rollout(id: FlagText?, text: FlagText?, percent: FlagText?)
    /// A value that Firebase chooses for each user.
    case personalization(id: FlagText?)
    /// One value for each variant of an experiment.
    case experiment(id: FlagText?, variants: [Variant])
    /// A form that this version of FlagMenu does not know, as JSON.
    case unknown(String)
    /// No value, or an empty object.
    case absent

    /// The order in which definitions of one parameter are used: 3 is a value, 2 a text that does not fit the type, 1 the
    /// app's own value, and 0 none.
    func rank(as type: FlagType?) -> Int {
        switch self {
        case .absent: 0
        case .inAppDefault: 1
        case .text(let text): type?.accepts(text) == false ? 2 : 3
        case .rollout, .personalization, .experiment, .unknown: 3
        }
    }

    /// The members of an object that each have a value in one of these forms.
    static let members = ["value", "useInAppDefault", "rolloutValue", "personalizationValue", "experimentValue"]

    /// A variant of an experiment.
    package struct Variant: Sendable, Hashable {
        /// The variant's name.
        package let id: FlagText?
        /// The variant's value; `nil` if the variant changes nothing.
        package let text: FlagText?
    }
}

/// The version of a template.
package struct TemplateVersion: Sendable, Hashable {
    /// The version number, which rises with every change.
    package let number: Int?
    /// The time at which the version was published.
    package let updatedAt: FlagTimestamp?
    /// The tool that published the version, such as `CONSOLE`.
    package let origin: FlagText?
    /// The type of update, such as `ROLLBACK`.
    package let type: FlagText?
    /// The user who published the version.
    package let userEmail: FlagText?
    /// The description of the version.
    package let details: FlagText?
    /// The number of the version that a rollback restored.
    package let rollbackSource: Int?

    /// Decodes a version; `nil` if `value` is not an object. Firebase's JSON spells whole numbers as strings.
    package init?(_ value: JSONValue?) {
        guard let value, value.kind == .object else { return nil }
        func number(_ key: String) -> Int? { value[key]?.flagText.flatMap { Int($0.string) } }
        self.number = number("versionNumber")
        updatedAt = value["updateTime"]?.text.flatMap { FlagTimestamp(rfc3339: $0.string) }
        origin = value["updateOrigin"]?.text
        type = value["updateType"]?.text
        userEmail = value["updateUser"]?["email"]?.text
        details = value["description"]?.text
        rollbackSource = number("rollbackSource")
    }
}
