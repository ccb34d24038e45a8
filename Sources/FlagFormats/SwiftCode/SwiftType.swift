import FlagModel

/// The type of a JSON value in generated code.
indirect enum SwiftType {
    /// A type of the standard library.
    case named(String)
    case array(of: SwiftType)
    case structure(name: String, [Property])

    /// A property of a structure, for a member of a JSON object.
    struct Property {
        let name: String
        let member: String
        let type: SwiftType
        let isOptional: Bool
    }

    /// The maximum size of a value in bytes that gets a type: the compiler is slow with large literals.
    private static let sizeLimit = 16_384

    /// The value in a JSON text with its type; `nil` if the type is not clear, such as that of an empty list.
    ///
    /// - Parameter name: the name of a structure.
    static func read(_ text: String, name: String) -> (type: SwiftType, value: JSONValue)? {
        guard text.utf8.count <= sizeLimit, let value = try? JSONDocument(parsing: FlagText(text)).root else {
            return nil
        }
        return SwiftType(of: [value], name: name).map { ($0, value) }
    }

    /// The common type of values.
    private init?(of values: [JSONValue], name: String) {
        guard let kind = values.first?.kind, values.allSatisfy({ $0.kind == kind }) else { return nil }
        switch kind {
        case .null: return nil
        case .bool: self = .named("Bool")
        case .string: self = .named("String")
        case .number:
            let isWhole = values.allSatisfy { FlagReading.int($0.source) != nil }
            guard isWhole || values.allSatisfy({ FlagReading.double($0.source) != nil }) else { return nil }
            self = .named(isWhole ? "Int" : "Double")
        case .array:
            let elements = values.flatMap { Array($0.elements) }
            guard let element = SwiftType(of: elements, name: "\(name)Element") else { return nil }
            self = .array(of: element)
        case .object:
            guard let properties = Self.properties(of: values, within: name) else { return nil }
            self = .structure(name: name, properties)
        }
    }

    /// The properties for the members of all objects; `nil` if there is none, or the type of one is not clear.
    private static func properties(of objects: [JSONValue], within name: String) -> [Property]? {
        var values: [FlagText: [JSONValue]] = [:]
        for object in objects {
            for (key, value) in object.members { values[key, default: []].append(value) }
        }
        let members = values.keys.sorted().map(\.string)
        // Swift would compare some different names as equal.
        guard !members.isEmpty, Set(members).count == members.count else { return nil }
        let names = SwiftName.distinct(
            members.map { SwiftName.member($0, prefix: "value") }, besides: SwiftName.takenMembers, suffix: "Value")
        let typeNames = SwiftName.distinct(
            members.map { SwiftName.type($0) }, besides: SwiftName.takenTypes.union([name] + names), suffix: "Value")
        var properties: [Property] = []
        for (index, member) in members.enumerated() {
            let present = values[FlagText(member), default: []].filter { $0.kind != .null }
            guard let type = SwiftType(of: present, name: typeNames[index]) else { return nil }
            properties.append(
                Property(
                    name: names[index], member: member, type: type, isOptional: present.count < objects.count))
        }
        return properties
    }

    /// How the type is written where it is used.
    var name: String {
        switch self {
        case .named(let name), .structure(let name, _): name
        case .array(let element): "[\(element.name)]"
        }
    }

    /// The declarations of the type, line by line; empty for a type that exists.
    ///
    /// - Parameter protocols: the protocols of the type besides `Codable` and `Hashable`.
    func declaration(_ protocols: String = "Sendable") -> [String] {
        switch self {
        case .named: []
        case .array(let element): element.declaration(protocols)
        case .structure(let name, let properties): Self.declaration(of: name, protocols, properties)
        }
    }

    private static func declaration(of name: String, _ protocols: String, _ properties: [Property]) -> [String] {
        var sections = properties.map { $0.type.declaration() }.filter { !$0.isEmpty }
        sections.append(
            properties.map { "var \(SwiftName.escaped($0.name)): \($0.type.name)\($0.isOptional ? "?" : "")" })
        if properties.contains(where: { $0.name != $0.member }) {
            let keys = SwiftEnumeration(
                name: "CodingKeys", protocols: "CodingKey", cases: properties.map { ($0.name, $0.member) })
            sections.append(keys.declaration)
        }
        let body = sections.joined(separator: [""]).map { $0.isEmpty ? "" : "    " + $0 }
        return ["nonisolated struct \(name): Codable, Hashable, \(protocols) {"] + body + ["}"]
    }

    /// A JSON value of this type.
    ///
    /// - Parameter path: the types that the type is nested in, with a point after each.
    func expression(_ value: JSONValue, path: String = "") -> SwiftExpression {
        switch self {
        case .array(let element): return .array(value.elements.map { element.expression($0, path: path) })
        case .structure(let name, let properties):
            let arguments = properties.compactMap { property -> (label: String, value: SwiftExpression)? in
                guard let member = value[property.member], member.kind != .null else { return nil }
                // In a call, keywords need no backticks.
                return (property.name, property.type.expression(member, path: "\(path)\(name)."))
            }
            return .call(path + name, arguments)
        case .named(let name): return Self.scalar(value, isDouble: name == "Double")
        }
    }

    private static func scalar(_ value: JSONValue, isDouble: Bool) -> SwiftExpression {
        if let text = value.text { return .string(text.string) }
        if let bool = value.bool { return .literal(bool ? "true" : "false") }
        if isDouble, let number = FlagReading.double(value.source) { return .literal("\(number)") }
        return .literal(FlagReading.int(value.source).map(String.init) ?? value.source)
    }
}

/// An enumeration of texts in generated code.
struct SwiftEnumeration {
    let name: String
    /// The protocols besides that of raw values.
    let protocols: String
    /// The cases with their raw values.
    let cases: [(name: String, text: String)]
}

extension SwiftEnumeration {
    /// An enumeration of the options of a flag.
    init(options: [String], name: String) {
        let names = SwiftName.distinct(
            options.map { $0.isEmpty ? "empty" : SwiftName.member($0, prefix: "option") },
            besides: SwiftName.takenMembers, suffix: "Option")
        self.init(name: name, protocols: "CaseIterable, FlagValue", cases: Array(zip(names, options)))
    }

    /// The declaration, line by line.
    var declaration: [String] {
        let lines = cases.map { name, text in
            let rawValue = name == text ? "" : " = \"\(SwiftExpression.escaped(text))\""
            return "    case \(SwiftName.escaped(name))\(rawValue)"
        }
        return ["nonisolated enum \(name): String, \(protocols) {"] + lines + ["}"]
    }

    /// The case for an option; `nil` if there is none.
    func expression(_ option: String) -> SwiftExpression? {
        cases.first { $0.text == option }.map { .literal(".\($0.name)") }
    }
}
