import FlagModel

/// Swift code, for FlagMenu's own library.
enum SwiftCode: CodeWriter {
    static let words = CodeWords(
        // Also names that the compiler and swift-format do not accept with the same backticks.
        members: [
            "all", "allCases", "encode", "hash", "hashValue", "init", "inout", "let", "rawValue", "self", "var",
        ],
        types: [
            "Any", "Array", "Bool", "CaseIterable", "Codable", "CodingKey", "CodingKeys", "Decodable", "DeclaredKey",
            "Decoder", "Double", "Encodable", "Encoder", "FlagKey", "FlagValue", "Flags", "Hashable", "Int", "JSONText",
            "Optional", "Protocol", "Self", "Sendable", "String", "Swift", "Type",
        ],
        keywords: [
            "actor", "any", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
            "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
            "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator",
            "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "some", "static",
            "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where",
            "while",
        ])

    static let opening = "nonisolated enum "

    static func isDeclaration(_ line: Substring) -> Bool {
        line.hasPrefix("    static let ") && line.contains(" = FlagKey<")
    }

    static func text(of flags: [NamedFlag], in name: String, mark: String) -> String {
        let list = SwiftExpression.array(flags.map { .literal(words.escaped($0.name)) })
            .text(margin: 4, column: "    static let all: [any DeclaredKey] = ".count)
        return """
            \(mark)\(markEnd)
            // swift-format-ignore-file
            // swiftlint:disable all

            import Flags

            /// The flags of the app: `declares: \(name).all` in a store's options lists them in menus.
            \(opening)\(name) {
            \(flags.map { declaration(of: $0) + "\n" }.joined())    /// All flags.
                static let all: [any DeclaredKey] = \(list)
            }

            """
    }

    /// The code that declares one flag, with its types.
    private static func declaration(of named: NamedFlag) -> String {
        var lines: [String] = []
        let value = SwiftValue(of: named.flag, typeName: named.typeName)
        if !value.declaration.isEmpty { lines += value.declaration + [""] }
        lines += named.commentLines.map { "/// \($0)" }
        let start = "static let \(words.escaped(named.name)) = "
        let call = SwiftExpression.call("FlagKey<\(value.typeName)>", arguments(of: named.flag, value))
        lines.append(start + call.text(margin: 4, column: 4 + start.count))
        return lines.indented.map { $0 + "\n" }.joined()
    }

    private static func arguments(
        of flag: DeclaredFlag, _ value: SwiftValue
    ) -> [(label: String, value: SwiftExpression)] {
        let facts = flag.facts
        var arguments = [
            (label: "", value: SwiftExpression.string(flag.key)), ("default", value.expression),
        ]
        if !value.options.isEmpty { arguments.append(("options", .array(value.options))) }
        let texts = [
            ("title", facts.title), ("description", facts.description), ("group", facts.group), ("owner", facts.owner),
            ("expires", facts.expires),
        ]
        arguments += texts.compactMap { label, text in text.map { (label, .string($0)) } }
        return arguments + (facts.needsRestart ? [("needsRestart", .literal("true"))] : [])
    }
}

/// The default of a flag in Swift code, with its type.
private struct SwiftValue {
    let typeName: String
    let expression: SwiftExpression
    /// The declaration of the type, line by line; empty for a type that exists.
    var declaration: [String] = []
    /// The values to choose from, if the type does not list them.
    var options: [SwiftExpression] = []

    init(of flag: DeclaredFlag, typeName name: String) {
        let text = flag.defaultValue ?? ""
        switch flag.type {
        case .bool: (typeName, expression) = ("Bool", .literal(text))
        case .int, .double:
            (typeName, expression) = (flag.type == .int ? "Int" : "Double", .number(text))
            options = flag.facts.options.map(SwiftExpression.number)
        case .string:
            let options = flag.facts.options
            guard let place = options.firstIndex(of: text) else {
                (typeName, expression) = ("String", .string(text))
                return
            }
            let names = CodeName.distinct(
                options.map { $0.isEmpty ? "empty" : CodeName.member($0, prefix: "option") },
                besides: SwiftCode.words.members, suffix: "Option")
            (typeName, expression) = (name, .literal(".\(names[place])"))
            declaration = SwiftCode.enumeration(
                name, "CaseIterable, FlagValue", cases: Array(zip(names, options)))
        case .json:
            guard let (shape, value) = CodeShape.read(text, name: name, SwiftCode.words) else {
                (typeName, expression) = ("JSONText", .rawString(text))
                return
            }
            (typeName, expression, declaration) = (shape.name, shape.expression(value), shape.declaration("FlagValue"))
        }
    }
}
