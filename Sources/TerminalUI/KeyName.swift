extension KeyPress {
    /// The accepted names of all keys that a configuration can name, except single characters.
    ///
    /// The list contains only keys that every common terminal distinguishes. Terminals send Ctrl-I as Tab, Ctrl-J and
    /// Ctrl-M as Enter, and Alt as Escape before the key; they report Shift only with letters and Tab.
    public static let named: [(name: String, key: KeyPress)] =
        otherKeys
        + (1...12).flatMap { [("F\($0)", .function($0)), ("f\($0)", .function($0))] }
        + "abdefghklnopqrstuvwxyz".flatMap { letter in
            [("ctrl-\(letter)", .control(letter)), ("^\(letter.uppercased())", .control(letter))]
        }

    /// The keys whose names say neither a number nor a letter. The last name of a key is the one that is shown.
    static let otherKeys: [(name: String, key: KeyPress)] = [
        ("space", .character(" ")), ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab),
        ("backspace", .backspace), ("del", .delete), ("up", .up), ("down", .down), ("left", .left),
        ("right", .right), ("pgup", .pageUp), ("PgUp", .pageUp), ("pgdn", .pageDown), ("PgDn", .pageDown),
        ("home", .home), ("end", .end), ("ins", .insert),
    ]

    private static let keysByName = Dictionary(named.map { ($0.name, $0.key) }) { first, _ in first }

    /// The key with a name such as `space`, `ctrl-r`, `^R`, `PgUp` or `F5`, or the key of a single character; `nil` for
    /// other names.
    public init?(named name: String) {
        if let key = Self.keysByName[name] {
            self = key
        } else if name.unicodeScalars.count == 1, let character = name.first, DisplayText.safe(name) == name {
            self = .character(character)
        } else {
            return nil
        }
    }

    /// The reason why programs do not receive the key with this name, as the last part of a sentence; `nil` if no
    /// reason is known.
    public static func blocker(toName name: String) -> String? {
        let name = name.lowercased()
        switch name {
        case "ctrl-i", "^i": return "is what Tab sends; the name is \"tab\""
        case "ctrl-j", "^j", "ctrl-m", "^m": return "is what Enter sends; the name is \"enter\""
        case "ctrl-c", "^c": return "always quits"
        default: break
        }
        if name.hasPrefix("alt-") || name.hasPrefix("meta-") { return "arrives as Esc and then the key" }
        if name.hasPrefix("ctrl-shift-") || name.hasPrefix("shift-") || name.hasPrefix("cmd-")
            || name.hasPrefix("super-")
        {
            return "does not reach programs in most terminals"
        }
        return nil
    }
}
