package import FlagModel

/// Decodes a template part by part; a part that is not in Firebase's format is left out with an issue.
struct FirebaseTemplateReader {
    private(set) var conditions: [TemplateCondition] = []
    private(set) var groupDetails: [FlagText: FlagText] = [:]
    private(set) var parameters: [TemplateParameter] = []
    private var names: Set<FlagText> = []
    /// The index of each parameter in `parameters`, and the group of the definition that is used.
    private var places: [FlagText: (index: Int, group: FlagText?)] = [:]
    var log: IssueLog

    init(_ document: JSONDocument) { log = IssueLog(document, part: nil) }

    mutating func read(_ root: JSONValue) {
        readConditions(root["conditions"])
        for (name, group) in root.members(of: "parameterGroups") {
            guard group.kind == .object else {
                log.add("the group \(name.quoted) is \(group.kindWords) and was left out", at: group)
                continue
            }
            groupDetails[name] = text(group, "description", of: name)
            readParameters(group["parameters"], of: name)
        }
        readParameters(root["parameters"], of: nil)
    }

    private mutating func readConditions(_ list: JSONValue?) {
        guard let list, list.kind != .null else { return }
        if list.kind != .array {
            log.add("\"conditions\" is \(list.kindWords) and was left out; expected an array", at: list)
        }
        for value in list.elements {
            let condition = readCondition(value)
            conditions.append(condition)
            if let name = condition.name, !names.insert(name).inserted {
                log.add(
                    "duplicate condition \(name.quoted); position of the first, rule of the last",
                    at: value)
            }
        }
    }

    private mutating func readCondition(_ value: JSONValue) -> TemplateCondition {
        let name = value["name"]?.text
        if name == nil { log.add("a condition has no name, so that no value can use it", at: value) }
        var rule = TemplateCondition.Rule.tree(.unreadable("has no rule"))
        if let tree = value.present("condition") {
            rule = .tree(readNode(tree, of: name?.quoted ?? "without a name"))
        } else if let expression = value["expression"]?.text {
            rule = .expression(expression)
        } else {
            log.add("the condition \(name?.quoted ?? "without a name") has no rule; it never applies", at: value)
        }
        return TemplateCondition(name: name, rule: rule)
    }

    mutating func readParameters(_ object: JSONValue?, of group: FlagText?) {
        guard let object, object.kind != .null else { return }
        if object.kind != .object {
            log.add("\"parameters\" is \(object.kindWords) and was left out; expected an object", at: object)
        }
        for (key, parameter) in object.members {
            if parameter.kind != .object {
                log.add("the parameter \(key.quoted) is \(parameter.kindWords) and was left out", at: parameter)
            } else if let (index, usedGroup) = places[key] {
                readDuplicate(parameter, group: group, of: index, usedGroup: usedGroup)
            } else {
                places[key] = (parameters.count, group)
                parameters.append(readParameter(parameter, key: key, group: group))
            }
        }
    }

    /// Reads a parameter that was defined before. The earlier definition is used, unless only the other one has a
    /// valid value; the group and the description of the first are kept in any case.
    private mutating func readDuplicate(
        _ value: JSONValue, group: FlagText?, of index: Int, usedGroup: FlagText?
    ) {
        func place(_ group: FlagText?) -> String { group.map { "in the group \($0.quoted)" } ?? "without a group" }
        let first = parameters[index]
        let other = readParameter(value, key: first.key, group: group)
        let sentence = "duplicate parameter \(first.key.quoted); the one"
        let (rank, type) = (first.rank(as: first.declaredType), other.declaredType ?? first.declaredType)
        guard rank < other.rank(as: type) else { return log.add("\(sentence) \(place(usedGroup)) is used", at: value) }
        let lack = rank == 2 ? "no valid value" : "no value"
        log.add("\(sentence) \(place(group)) is used, as the one \(place(usedGroup)) has \(lack)", at: value)
        places[first.key] = (index, group)
        parameters[index] = TemplateParameter(
            key: first.key, group: first.group ?? group, details: first.details ?? other.details,
            declaredType: type, defaultValue: other.defaultValue,
            conditionalValues: other.conditionalValues)
    }

    private mutating func readParameter(_ value: JSONValue, key: FlagText, group: FlagText?) -> TemplateParameter {
        let conditional = value["conditionalValues"]
        if let conditional, conditional.kind != .object {
            log.add("the conditional values of \(key.quoted) were ignored; expected an object", at: conditional)
        }
        let type = type(of: value, key: key)
        var values: [TemplateParameter.Conditional] = []
        for (condition, value) in value.members(of: "conditionalValues") {
            if !names.contains(condition) {
                log.add(
                    "\(key.quoted) has a value under the condition \(condition.quoted), which the template does not have; "
                        + "it is never used", at: value)
            }
            values.append(.init(condition: condition, value: readValue(value, of: key, type)))
        }
        return TemplateParameter(
            key: key, group: group, details: text(value, "description", of: key), declaredType: type,
            defaultValue: value["defaultValue"].map { readValue($0, of: key, type) } ?? .absent,
            conditionalValues: values)
    }

    private mutating func type(of parameter: JSONValue, key: FlagText) -> FlagType? {
        guard let name = text(parameter, "valueType", of: key) else { return nil }
        guard let type = FlagType.ofFirebase[name.string] else {
            log.add(
                "the value type \(name.quoted) of \(key.quoted) was ignored; Firebase has no such type", at: parameter)
            return nil
        }
        return type
    }

    private mutating func text(_ object: JSONValue, _ member: String, of owner: FlagText) -> FlagText? {
        guard let value = object.present(member) else { return nil }
        if value.text == nil {
            log.add(
                "\"\(member)\" of \(owner.quoted) is \(value.kindWords) and was ignored; expected a string", at: value)
        }
        return value.text
    }

    /// The default value, or the value under a condition. An empty object counts as no value.
    private mutating func readValue(_ value: JSONValue, of key: FlagText, _ type: FlagType?) -> ParameterValue {
        if value.kind != .object, value.kind != .null {
            log.add("a value of \(key.quoted) is \(value.kindWords) and was ignored; expected an object", at: value)
        }
        guard value.kind == .object, value.count > 0 else { return .absent }
        if value.truthy("useInAppDefault") != nil { return .inAppDefault }
        if let text = value.present("value") {
            if text.kind != .string {
                log.add("a value of \(key.quoted) is \(text.kindWords); expected a string", at: text)
            }
            let flagText = text.flagText ?? ""
            if let type, !type.accepts(flagText) {
                log.add("a value of \(key.quoted) does not fit the declared type \(type.rawValue)", at: text)
            }
            return .text(flagText)
        }
        if let rollout = value["rolloutValue"] {
            return .rollout(
                id: rollout["rolloutId"]?.flagText, text: rollout["value"]?.flagText,
                percent: rollout["percent"]?.flagText)
        }
        if let personalization = value["personalizationValue"] {
            return .personalization(id: personalization["personalizationId"]?.flagText)
        }
        guard let experiment = value["experimentValue"] else { return .unknown(value.compactJSON) }
        let variants = experiment["variantValue"].map { Array($0.elements) } ?? []
        return .experiment(
            id: experiment["experimentId"]?.flagText,
            variants: variants.map { .init(id: $0["variantId"]?.flagText, text: $0["value"]?.flagText) })
    }
}

extension JSONValue {
    /// The member with a key; `nil` if the member is null, false, zero or empty: firebase-admin treats such a member as
    /// missing.
    func truthy(_ key: String) -> JSONValue? {
        guard let value = self[key] else { return nil }
        let isTruthy =
            switch value.kind {
            case .null: false
            case .bool: value.bool ?? false
            case .number: Double(value.source) != 0
            case .string: value.text?.isEmpty == false
            case .array, .object: value.count > 0
            }
        return isTruthy ? value : nil
    }

    /// The member with a key; `nil` if it is missing or null.
    func present(_ key: String) -> JSONValue? {
        self[key].flatMap { $0.kind == .null ? nil : $0 }
    }

    /// The members of the object with a key; empty if the member is missing or not an object.
    package func members(of key: String) -> [(key: FlagText, value: JSONValue)] {
        self[key].map { Array($0.members) } ?? []
    }
}

extension FlagType {
    /// The flag types by Firebase's type names; `nil` for an unspecified type. Firebase has one type for all numbers; a
    /// double also accepts whole numbers.
    package static let ofFirebase: [String: FlagType?] = [
        "STRING": .string, "BOOLEAN": .bool, "NUMBER": .double, "JSON": .json, "PARAMETER_VALUE_TYPE_UNSPECIFIED": nil,
    ]
}
