package import FlagModel

/// Reads a Firebase Remote Config template: parameters and groups of them, with default and conditional values.
struct TemplateReader {
    /// All members that a template has at its top.
    private static let topMembers = ["conditions", "parameters", "parameterGroups", "version", "etag"]
    /// Where the parameters without a group stand. It comes after the groups, which somebody has put in order.
    private static let ungroupedName: FlagText = "Parameters"

    private var groups = Catalog()
    private var values = ValueTable()
    private var types: [FlagText: FlagType] = [:]
    private var catalogText: FlagText?
    private var log: ProblemLog

    private init(_ document: JSONDocument) {
        log = ProblemLog(document, part: nil)
    }

    /// Whether an object is a template and not a map of values that happens to have a key `parameters`: it has no member
    /// besides a template's, or one of its parameters looks like one.
    static func isTemplate(_ root: JSONValue) -> Bool {
        let homes = [root["parameters"], root["parameterGroups"]].compactMap { $0 }.filter { $0.kind == .object }
        guard !homes.isEmpty else { return false }
        if root.members.allSatisfy({ member in topMembers.contains { member.key == FlagText($0) } }) { return true }
        let groups = (root["parameterGroups"]?.members.map(\.value) ?? []).compactMap { $0["parameters"] }
        return ([root["parameters"]].compactMap { $0 } + groups).contains { home in
            home.members.contains { $0.value["defaultValue"] != nil || $0.value["conditionalValues"] != nil }
        }
    }

    static func read(_ document: JSONDocument) -> RemoteDocument {
        var reader = TemplateReader(document)
        for (name, group) in document.root.members(of: "parameterGroups") {
            reader.readGroup(group, name: name)
        }
        if let parameters = document.root["parameters"], parameters.count > 0 {
            reader.groups.beginCategory(ungroupedName, details: nil)
            reader.readParameters(parameters)
        }
        return RemoteDocument(
            template: reader.values, types: reader.types, groups: reader.groups, catalogText: reader.catalogText,
            problems: reader.log.problems)
    }

    private mutating func readGroup(_ group: JSONValue, name: FlagText) {
        guard group.kind == .object else {
            return log.add("the group \(name.quoted) is \(group.kindWords) and was left out", at: group)
        }
        groups.beginCategory(name, details: text(group, "description", of: name))
        if let parameters = group["parameters"] { readParameters(parameters) }
    }

    private mutating func readParameters(_ parameters: JSONValue) {
        if parameters.kind != .object {
            log.add("\"parameters\" is \(parameters.kindWords) and was left out; expected an object", at: parameters)
        }
        for (key, parameter) in parameters.members {
            if parameter.kind == .object {
                readParameter(parameter, key: key)
            } else {
                log.add("the parameter \(key.quoted) is \(parameter.kindWords) and was left out", at: parameter)
            }
        }
    }

    private mutating func readParameter(_ parameter: JSONValue, key: FlagText) {
        let offers = offers(of: parameter, key: key)
        if key == FlagText(RemoteDocument.catalogKey) {
            catalogText = offers.remoteText
            return
        }
        let type = type(of: parameter, key: key)
        let item = FlagItem(
            key: key, details: text(parameter, "description", of: key), options: offers.options(for: type),
            declaredType: type)
        guard groups.append(item) else {
            return log.add("the parameter \(key.quoted) has a place already; this one was left out", at: parameter)
        }
        types[key] = type
        if let value = offers.remoteText { values.append(value, for: key, hash: key.keyHash) }
    }

    private mutating func offers(of parameter: JSONValue, key: FlagText) -> TemplateOffers {
        var offers = TemplateOffers()
        if let value = parameter["defaultValue"], !offers.add(value, condition: nil) {
            log.add("the default value of \(key.quoted) was ignored; expected an object", at: value)
        }
        let conditional = parameter["conditionalValues"]
        if let conditional, conditional.kind != .object, conditional.kind != .null {
            log.add("the conditional values of \(key.quoted) were ignored; expected an object", at: conditional)
        }
        for (condition, value) in parameter.members(of: "conditionalValues") {
            if !offers.add(value, condition: condition.string) {
                log.add("a conditional value of \(key.quoted) was ignored; expected an object", at: value)
            }
        }
        return offers
    }

    private mutating func type(of parameter: JSONValue, key: FlagText) -> FlagType? {
        guard let name = text(parameter, "valueType", of: key) else { return nil }
        guard let type = FlagType.ofFirebase[name.string] else {
            log.add("the value type \(name.quoted) of \(key.quoted) was ignored", at: parameter)
            return nil
        }
        return type
    }

    private mutating func text(_ object: JSONValue, _ member: String, of owner: FlagText) -> FlagText? {
        guard let value = object[member], value.kind != .null else { return nil }
        if value.text == nil {
            log.add(
                "\"\(member)\" of \(owner.quoted) is \(value.kindWords) and was ignored; expected a string", at: value)
        }
        return value.text
    }
}

extension JSONValue {
    /// The members of a member; none when it is missing or no object.
    fileprivate func members(of key: String) -> [(key: FlagText, value: JSONValue)] {
        self[key].map { Array($0.members) } ?? []
    }
}

extension FlagType {
    /// The types by Firebase's words for them; a parameter may leave its type open. Firebase has one type for all numbers,
    /// of which a double accepts whole ones too.
    package static let ofFirebase: [String: FlagType?] = [
        "STRING": .string, "BOOLEAN": .bool, "NUMBER": .double, "JSON": .json, "PARAMETER_VALUE_TYPE_UNSPECIFIED": nil,
    ]
}
