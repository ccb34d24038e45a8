/// One of the values that a menu offers for a flag.
public struct FlagOption: Sendable, Hashable {
    /// The text that is stored when the option is chosen.
    public var value: String
    /// The origin of the option, for example `default` or the names of conditions; `nil` if it is not known.
    public var label: String?
    /// Whether the label is the name of the value, such as a variant's, and is shown instead of the value.
    public var isNamed: Bool

    /// An option with or without an origin.
    public init(value: String, label: String? = nil, isNamed: Bool = false) {
        (self.value, self.label, self.isNamed) = (value, label, isNamed)
    }

    /// Both values of a bool, for services that send a flag's type but no options.
    package static let booleans = ["true", "false"].map { FlagOption(value: $0) }

    /// The maximum number of options that are offered for one flag: the menu reads all of them again at each key press.
    public static let limit = 1_000

    /// The `value` of a catalog item with these options; `nil` if it cannot express them, because one before the last
    /// ends with a backslash.
    package static func text(of options: [String]) -> String? {
        guard !options.dropLast().contains(where: { $0.utf8.last == UInt8(ascii: "\\") }) else { return nil }
        return options.map { $0.replacing("|", with: "\\|") }.joined(separator: "|")
    }

    /// The options in the `value` of a catalog item: separated by `|`, with `\|` for a literal bar. Returns at most
    /// ``limit`` + 1 options.
    ///
    /// An option may be empty, but an empty text has no options. A backslash before any other character is literal.
    package static func list(in text: FlagText) -> [FlagOption] {
        text.withUTF8 { bytes in
            var options: [FlagOption] = []
            options.reserveCapacity(4)
            var (start, hasEscapes) = (0, false)
            func append(until end: Int) {
                let option = bytes.part(start, end - start)
                let value =
                    hasEscapes
                    ? String(decoding: withoutEscapes(option), as: UTF8.self) : String(decoding: option, as: UTF8.self)
                options.append(FlagOption(value: value))
                (start, hasEscapes) = (end + 1, false)
            }
            for at in bytes.indices where bytes[at] == UInt8(ascii: "|") {
                guard at == start || bytes[at - 1] != UInt8(ascii: "\\") else {
                    hasEscapes = true
                    continue
                }
                append(until: at)
                if options.count > limit { return options }
            }
            if !bytes.isEmpty { append(until: bytes.count) }
            return options
        }
    }

    /// An option without the backslashes before its bars.
    private static func withoutEscapes(_ option: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        option.indices.filter {
            option[$0] != UInt8(ascii: "\\") || !option.dropFirst($0 + 1).starts(with: [UInt8(ascii: "|")])
        }
        .map { option[$0] }
    }
}
