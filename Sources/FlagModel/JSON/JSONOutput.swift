/// JSON for writing. The text is safe on a terminal: control and invisible characters are escaped.
public indirect enum JSONOutput: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A string; escaped on writing.
    case string(String)
    /// JSON that is written unchanged.
    case raw(String)
    /// An array.
    case array([JSONOutput])
    /// An object; the members keep their order.
    case object([(String, JSONOutput)])

    /// An object without the members that have no value.
    package static func object(present members: [(String, JSONOutput?)]) -> JSONOutput {
        .object(members.compactMap { name, value in value.map { (name, $0) } })
    }

    /// The JSON text, without a trailing line feed. Indented by two spaces per level, or on one line without spaces.
    public func text(indented: Bool = true) -> String {
        var result = ""
        write(to: &result, margin: indented ? "\n" : nil)
        return result
    }

    /// A string in double quotes, escaped, truncated to `limit` scalars for messages.
    public static func quoted(_ text: String, limit: Int = .max) -> String {
        // Almost every text has nothing to escape, and need not be copied scalar by scalar.
        if limit == .max, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            return "\"\(text)\""
        }
        let scalars = text.unicodeScalars
        let isCut = scalars.count > limit
        var result = "\""
        for scalar in isCut ? scalars.prefix(limit) : scalars[...] { append(scalar, to: &result) }
        return result + (isCut ? "…\"" : "\"")
    }

    /// Writes the value; `margin` is a line feed and the indentation of the value's first line.
    private func write(to result: inout String, margin: String?) {
        switch self {
        case .null: result += "null"
        case .bool(let value): result += value ? "true" : "false"
        case .integer(let value): result += String(value)
        case .string(let value): result += Self.quoted(value)
        case .raw(let text): result += text
        case .array(let elements):
            Self.write(elements.map { (nil, $0) }, between: "[", "]", to: &result, margin: margin)
        case .object(let members):
            Self.write(members.map { ($0.0, $0.1) }, between: "{", "}", to: &result, margin: margin)
        }
    }

    private static func write(
        _ items: [(key: String?, value: JSONOutput)], between opening: String, _ closing: String,
        to result: inout String, margin: String?
    ) {
        let inner = margin.map { $0 + "  " }
        result += opening
        for (index, item) in items.enumerated() {
            result += (index == 0 ? "" : ",") + (inner ?? "")
            if let key = item.key { result += quoted(key) + (margin == nil ? ":" : ": ") }
            item.value.write(to: &result, margin: inner)
        }
        result += (items.isEmpty ? "" : margin ?? "") + closing
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if isHarmless(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                    result += "\\u" + unit.padded(to: 4, radix: 16)
                }
            }
        }
    }

    /// Whether the scalar is visible and does not control a terminal.
    static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: true
        case 0...0x1F, 0x7F...0x9F: false  // C0, DEL and C1 control characters
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x3164, 0xFFA0: false  // fillers
        case 0x200B...0x200F: false  // zero-width characters and direction marks
        case 0x2028...0x202E, 0x2060...0x206F: false  // line separators, bidi controls, invisible operators
        case 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB: false  // variation selectors, byte order mark, annotation
        case 0xFDD0...0xFDEF: false  // noncharacters
        case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: false  // format controls of shorthand and of music
        case 0xE0000...0xE0FFF: false  // tags and invisible variation selectors
        default: scalar.value & 0xFFFE != 0xFFFE  // the last two of each plane are noncharacters
        }
    }
}
