import FlagModel

/// A value in Swift code.
indirect enum SwiftExpression {
    /// A literal or a name.
    case literal(String)
    /// A call of an initializer.
    case call(String, [(label: String, value: SwiftExpression)])
    case array([SwiftExpression])

    /// The maximum length of a line, that of swift-format without settings.
    private static let lineLimit = 100

    /// The code on one line if it fits, else with an argument or an element per line.
    ///
    /// - Parameters:
    ///   - margin: the number of spaces before the line on which the expression starts.
    ///   - column: the number of characters before the expression on its line.
    func text(margin: Int, column: Int) -> String {
        let line = line
        // A comma may follow.
        if column + line.count < Self.lineLimit { return line }
        let inner = margin + 4
        let start = "\n" + String(repeating: " ", count: inner)
        let end = "\n" + String(repeating: " ", count: margin)
        switch self {
        case .literal(let text): return text
        case .call(let name, let arguments):
            let parts = arguments.map { label, value in
                let label = label.isEmpty ? "" : "\(label): "
                return start + label + value.text(margin: inner, column: inner + label.count)
            }
            return arguments.isEmpty ? line : "\(name)(\(parts.joined(separator: ","))\(end))"
        case .array(let elements):
            let parts = elements.map { start + $0.text(margin: inner, column: inner) + "," }
            return elements.isEmpty ? line : "[\(parts.joined())\(end)]"
        }
    }

    private var line: String {
        switch self {
        case .literal(let text): text
        case .call(let name, let arguments):
            "\(name)(\(arguments.map { ($0.label.isEmpty ? "" : "\($0.label): ") + $0.value.line }.joined(separator: ", ")))"
        case .array(let elements): "[\(elements.map(\.line).joined(separator: ", "))]"
        }
    }

    /// A number; one that is so small that it lost digits has its bits, as the compiler warns about such a literal.
    static func number(_ text: String) -> SwiftExpression {
        guard let value = Double(text), value.isSubnormal else { return .literal(text) }
        return .literal("Double(bitPattern: \(value.bitPattern))")
    }

    static func string(_ text: String) -> SwiftExpression { .literal("\"\(escaped(text))\"") }

    /// A string literal that shows the quotes of a text as they are, if the text has any, and nothing that needs an
    /// escape.
    static func rawString(_ text: String) -> SwiftExpression {
        guard text.contains(where: { "\"\\".contains($0) }), !text.unicodeScalars.contains(where: needsCode) else {
            return string(text)
        }
        var hashes = "#"
        while text.contains("\"\(hashes)") || text.contains("\\\(hashes)") { hashes += "#" }
        return .literal("\(hashes)\"\(text)\"\(hashes)")
    }

    /// A text with escapes, for a string literal or a comment on one line.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // A mark at the start would be drawn on the quote.
            case _
            where needsCode(scalar) || result.isEmpty && scalar.properties.canonicalCombiningClass != .notReordered:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether the scalar is invisible, or changes how the text around it is shown.
    static func needsCode(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        case .spaceSeparator: scalar != " "
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
