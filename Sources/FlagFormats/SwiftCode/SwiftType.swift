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

    /// The type of a JSON value.
    ///
    /// - Parameter name: the name of a structure.
    init(_ shape: JSONShape, name: String) {
        switch shape {
        case .bool: self = .named("Bool")
        case .int: self = .named("Int")
        case .double: self = .named("Double")
        case .string: self = .named("String")
        case .array(let element): self = .array(of: SwiftType(element, name: "\(name)Element"))
        case .object(let members): self = .structure(name: name, Self.properties(of: members, within: name))
        }
    }

    private static func properties(of members: [JSONShape.Member], within name: String) -> [Property] {
        let names = SwiftName.distinct(
            members.map { SwiftName.member($0.name, prefix: "value") }, besides: SwiftName.takenMembers,
            suffix: "Value")
        let typeNames = SwiftName.distinct(
            members.map { SwiftName.type($0.name) }, besides: SwiftName.takenTypes.union([name] + names),
            suffix: "Value")
        return members.indices.map { index in
            let member = members[index]
            return Property(
                name: names[index], member: member.name, type: SwiftType(member.shape, name: typeNames[index]),
                isOptional: member.isOptional)
        }
    }

    /// How the type is written where it is used.
    var name: String {
        switch self {
        case .named(let name), .structure(let name, _): name
        case .array(let element): "[\(element.name)]"
        }
    }

    /// The declarations of the type, line by line; empty for a type that exists.
    var declaration: [String] {
        switch self {
        case .named: []
        case .array(let element): element.declaration
        case .structure(let name, let properties): Self.declaration(of: name, properties)
        }
    }

    private static func declaration(of name: String, _ properties: [Property]) -> [String] {
        var sections = properties.map(\.type.declaration).filter { !$0.isEmpty }
        sections.append(
            properties.map { "var \(SwiftName.escaped($0.name)): \($0.type.name)\($0.isOptional ? "?" : "")" })
        if properties.contains(where: { $0.name != $0.member }) {
            let keys = SwiftEnumeration(
                name: "CodingKeys", protocols: "CodingKey", cases: properties.map { ($0.name, $0.member) })
            sections.append(keys.declaration)
        }
        let body = sections.joined(separator: [""]).map { $0.isEmpty ? "" : "    " + $0 }
        return ["nonisolated struct \(name): Codable, Hashable, Sendable {"] + body + ["}"]
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
