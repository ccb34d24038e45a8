public import FlagModel

/// A template of Firebase Remote Config: parameters, and the conditions that choose among their values.
///
/// There are two kinds. Those for servers have conditions as trees, which ``evaluation(in:inAppDefaults:)`` evaluates as
/// the package firebase-admin does, with the regular expressions and numbers of Swift. Those for clients have conditions as texts that only Firebase's own servers evaluate;
/// ``outcomes(whereHold:inAppDefaults:)`` takes which of them hold from somebody who wants to see what follows.
public struct FirebaseTemplate: Sendable {
    /// The conditions; the first one that holds and has a value for a parameter wins.
    public let conditions: [TemplateCondition]
    /// The parameters: first those of groups, in the order of the text, then those without one.
    public let parameters: [TemplateParameter]
    /// Which version it is, where it says so.
    public let version: TemplateVersion?
    /// What is not as Firebase writes it, and what was done about it.
    public let problems: [DocumentProblem]

    /// Reads a template.
    ///
    /// - Throws: that the text is no JSON, or JSON that firebase-admin refuses as a whole.
    public init(parsing bytes: [UInt8]) throws(DocumentError) {
        try self.init(JSONDocument(document: bytes))
    }

    /// Reads a template from JSON.
    public init(_ document: JSONDocument) throws(DocumentError) {
        var reader = FirebaseTemplateReader(document)
        try reader.read()
        conditions = reader.conditions
        parameters = reader.parameters
        version = TemplateVersion(document.root["version"])
        problems = reader.problems
    }

    /// The names of the conditions, each once, in the order that decides.
    public var conditionNames: [FlagText] {
        var known: Set<FlagText> = []
        return conditions.compactMap(\.name).filter { known.insert($0).inserted }
    }
}

/// A condition with its name.
public struct TemplateCondition: Sendable, Hashable {
    /// What decides whether it holds.
    public enum Rule: Sendable, Hashable {
        /// A tree, in templates for servers.
        case tree(ConditionNode)
        /// A text such as `device.os == 'ios'`, in templates for clients.
        case expression(FlagText)
        /// Nothing that decides it: firebase-admin ends with an error.
        case missing
    }

    /// The name that parameters refer to; without one no parameter can.
    public let name: FlagText?
    /// What decides whether it holds.
    public let rule: Rule
    /// The name of a colour in Firebase's console, such as `DEEP_ORANGE`.
    public let tagColor: FlagText?
}

/// A parameter with everything that its value can be.
public struct TemplateParameter: Sendable, Hashable {
    /// A value under a condition.
    public struct Conditional: Sendable, Hashable {
        /// The condition's name.
        public let condition: FlagText
        /// The value where it holds.
        public let value: ParameterValue
    }

    /// The key.
    public let key: FlagText
    /// The group that the console shows it in.
    public let group: FlagText?
    /// What it does.
    public let details: FlagText?
    /// The type that the template declares; `nil` where it declares none.
    public let declaredType: FlagType?
    /// The value where no condition decides.
    public let defaultValue: ParameterValue
    /// The values under conditions, in the order of the text, which decides nothing.
    public let conditionalValues: [Conditional]
    /// Why firebase-admin ends with an error at this parameter; `nil` where it does not.
    let fault: String?
}

/// What a parameter's value can be (`RemoteConfigParameterValue` of the REST reference).
public enum ParameterValue: Sendable, Hashable {
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
    /// Something that is no object.
    case unusable

    /// A variant of an experiment.
    public struct Variant: Sendable, Hashable {
        /// Its name.
        public let id: FlagText?
        /// Its value; `nil` where it changes nothing.
        public let text: FlagText?
    }
}

/// Which version of a template it is.
public struct TemplateVersion: Sendable, Hashable {
    /// The number; it grows with every change.
    public let number: Int?
    /// When it was published.
    public let updatedAt: Timestamp?
    /// What published it, such as `CONSOLE`.
    public let origin: FlagText?
    /// How, such as `ROLLBACK`.
    public let type: FlagText?
    /// Who published it.
    public let userEmail: FlagText?
    /// What whoever published it said about it.
    public let details: FlagText?
    /// The number of the version that it brings back.
    public let rollbackSource: Int?

    /// Reads a version; `nil` where there is none. Whole numbers are texts in Firebase's JSON.
    public init?(_ value: JSONValue?) {
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
