import FlagFormats
import FlagModel

/// Reads a template part by part; what is not as it should be is noted, and kept as firebase-admin would take it.
struct FirebaseTemplateReader {
    private(set) var conditions: [TemplateCondition] = []
    private(set) var parameters: [TemplateParameter] = []
    private let root: JSONValue
    private var names: Set<FlagText> = []
    private var keys: Set<FlagText> = []
    private var log: ProblemLog

    init(_ document: JSONDocument) {
        root = document.root
        log = ProblemLog(document, part: nil)
    }

    var problems: [DocumentProblem] { log.problems }

    mutating func note(_ sentence: @autoclosure () -> String, at value: JSONValue) { log.add(sentence(), at: value) }

    mutating func read() throws(DocumentError) {
        guard root.kind == .object else {
            throw .unknownShape("the template is \(root.kindWords); expected an object")
        }
        for name in ["conditions", "parameters"] where root[name]?.kind == .null {
            throw .unknownShape("\"\(name)\" of the template is null")
        }
        readConditions()
        for (name, group) in root.members(of: "parameterGroups") {
            guard group.kind == .object else {
                note("the group \(name.quoted) is \(group.kindWords) and was left out", at: group)
                continue
            }
            readParameters(group["parameters"], of: name)
        }
        readParameters(root["parameters"], of: nil)
    }

    private mutating func readConditions() {
        guard let list = root["conditions"] else { return }
        if list.kind != .array {
            note("\"conditions\" is \(list.kindWords) and was left out; expected an array", at: list)
        }
        for condition in list.elements { conditions.append(readCondition(condition)) }
        for condition in list.elements {
            guard let name = condition["name"]?.text else { continue }
            if !names.insert(name).inserted {
                note(
                    "the condition \(name.quoted) stands twice; the place of the first and the rule of the last count",
                    at: condition)
            }
        }
    }

    private mutating func readCondition(_ value: JSONValue) -> TemplateCondition {
        let name = value["name"]?.text
        if name == nil { note("a condition has no name, so that no value can use it", at: value) }
        var rule = TemplateCondition.Rule.missing
        if let tree = value.present("condition") {
            rule = .tree(readNode(tree, of: name?.quoted ?? "without a name"))
        } else if let expression = value["expression"]?.text {
            rule = .expression(expression)
        } else {
            note("the condition \(name?.quoted ?? "without a name") has nothing that decides it", at: value)
        }
        return TemplateCondition(name: name, rule: rule, tagColor: value["tagColor"]?.text)
    }

    private mutating func readParameters(_ home: JSONValue?, of group: FlagText?) {
        guard let home, home.kind != .null else { return }
        if home.kind != .object {
            note("\"parameters\" is \(home.kindWords) and was left out; expected an object", at: home)
        }
        for (key, parameter) in home.members {
            guard keys.insert(key).inserted else {
                note("the parameter \(key.quoted) has a place already; this one was left out", at: parameter)
                continue
            }
            parameters.append(readParameter(parameter, key: key, group: group))
        }
    }

    private mutating func readParameter(_ value: JSONValue, key: FlagText, group: FlagText?) -> TemplateParameter {
        var fault: String?
        if value.kind != .object {
            fault = "the parameter \(key.quoted) is \(value.kindWords)"
            note("the parameter \(key.quoted) is \(value.kindWords) and has no value; expected an object", at: value)
        }
        let conditional = value["conditionalValues"]
        if let conditional, conditional.kind != .object {
            note(
                "the conditional values of \(key.quoted) are \(conditional.kindWords); expected an object",
                at: conditional)
            // firebase-admin looks for a name in a text or a list and does not find it; it cannot look in anything else.
            let canLook = conditional.kind == .string || conditional.kind == .array || conditions.isEmpty
            if !canLook { fault = "the conditional values of \(key.quoted) are \(conditional.kindWords)" }
        }
        var values: [TemplateParameter.Conditional] = []
        for (condition, value) in value.members(of: "conditionalValues") {
            if !names.contains(condition) {
                note(
                    "\(key.quoted) has a value under the condition \(condition.quoted), which the template does not have; "
                        + "it is never used", at: value)
            }
            values.append(.init(condition: condition, value: readValue(value, of: key)))
        }
        return TemplateParameter(
            key: key, group: group, details: value["description"]?.text,
            declaredType: readType(value["valueType"], of: key),
            defaultValue: value["defaultValue"].map { readValue($0, of: key) } ?? .absent,
            conditionalValues: values, fault: fault)
    }

    private mutating func readType(_ value: JSONValue?, of key: FlagText) -> FlagType? {
        guard let value, value.kind != .null else { return nil }
        guard let word = value.text?.string, let type = FlagType.ofFirebase[word] else {
            note("the value type of \(key.quoted) was ignored; it is none of Firebase's", at: value)
            return nil
        }
        return type
    }
}

extension JSONValue {
    /// Whether firebase-admin takes it for given: not for null, false, zero, or something empty.
    var isTruthy: Bool {
        switch kind {
        case .null: false
        case .bool: bool ?? false
        case .number: Double(source) != 0
        case .string: text?.isEmpty == false
        case .array, .object: count > 0
        }
    }

    /// The member, unless it counts as not given.
    func truthy(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.isTruthy ? $0 : nil }
    }

    /// The member, unless it is null.
    func present(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.kind == .null ? nil : $0 }
    }

    /// The members of a member; none where it is missing or no object.
    func members(of key: String) -> [(key: FlagText, value: JSONValue)] {
        self[key].map { Array($0.members) } ?? []
    }
}
