import FlagModel

extension CodeShape {
    /// How the type is written where it is used.
    var name: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .text: "String"
        case .array(let element): "[\(element.name)]"
        case .structure(let name, _): name
        }
    }

    /// The declarations of the type, line by line; empty for a type that exists.
    ///
    /// - Parameter protocols: the protocols of the type besides `Codable` and `Hashable`.
    func declaration(_ protocols: String = "Sendable") -> [String] {
        switch self {
        case .bool, .int, .double, .text: []
        case .array(let element): element.declaration(protocols)
        case .structure(let name, let properties): Self.declaration(of: name, protocols, properties)
        }
    }

    private static func declaration(of name: String, _ protocols: String, _ properties: [Property]) -> [String] {
        var sections = properties.map { $0.shape.declaration() }.filter { !$0.isEmpty }
        sections.append(
            properties.map { "var \(SwiftCode.words.escaped($0.name)): \($0.shape.name)\($0.isOptional ? "?" : "")" })
        if properties.contains(where: { $0.name != $0.member }) {
            sections.append(
                SwiftCode.enumeration("CodingKeys", "CodingKey", cases: properties.map { ($0.name, $0.member) }))
        }
        let body = Array(sections.joined(separator: [""])).indented
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
                return (property.name, property.shape.expression(member, path: "\(path)\(name)."))
            }
            return .call(path + name, arguments)
        case .text: return .string(value.text?.string ?? "")
        case .double: return .number(FlagReading.double(value.source).map { "\($0)" } ?? value.source)
        case .int: return .literal(FlagReading.int(value.source).map(String.init) ?? value.source)
        case .bool: return .literal(value.source)
        }
    }
}

extension SwiftCode {
    /// The declaration of an enumeration of texts, line by line.
    ///
    /// - Parameters:
    ///   - protocols: the protocols besides that of raw values.
    ///   - cases: the cases with their raw values.
    static func enumeration(
        _ name: String, _ protocols: String, cases: [(name: String, text: String)]
    ) -> [String] {
        let lines = cases.map { name, text in
            let rawValue = name == text ? "" : " = \"\(SwiftExpression.escaped(text))\""
            return "    case \(words.escaped(name))\(rawValue)"
        }
        return ["nonisolated enum \(name): String, \(protocols) {"] + lines + ["}"]
    }
}
