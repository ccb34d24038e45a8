/// One value to choose for a flag.
public struct FlagOption: Sendable, Hashable {
    /// The text that is stored when the option is chosen.
    public var value: String
    /// The origin of the option, for example `default` or the names of conditions; `nil` if it is not known.
    public var label: String?
    /// Whether the label is the name of the value, such as a variant's, and is shown instead of the value.
    public var isNamed: Bool

    /// An option with or without an origin.
    public init(value: String, label: String? = nil, isNamed: Bool = false) {
        self.value = value
        self.label = label
        self.isNamed = isNamed
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
        var options: [FlagOption] = []
        var current: [UInt8] = []
        for byte in text.storage[text.range] {
            if byte != UInt8(ascii: "|") {
                current.append(byte)
            } else if current.last == UInt8(ascii: "\\") {
                current[current.count - 1] = byte
            } else {
                options.append(FlagOption(value: String(decoding: current, as: UTF8.self)))
                if options.count > limit { return options }
                current.removeAll(keepingCapacity: true)
            }
        }
        return text.isEmpty ? [] : options + [FlagOption(value: String(decoding: current, as: UTF8.self))]
    }
}
