extension KeyPress {
    /// The keys that a configuration can name besides single characters, with all their names.
    ///
    /// Only keys that every common terminal distinguishes: Ctrl-I is Tab, Ctrl-J and Ctrl-M are Enter, Alt is Escape
    /// and then the key, and Shift reaches programs with letters and Tab alone.
    public static let named: [(name: String, key: KeyPress)] =
        [
            ("space", .character(" ")), ("enter", .enter), ("esc", .escape), ("tab", .tab), ("shift-tab", .backTab),
            ("backspace", .backspace), ("del", .delete), ("up", .up), ("down", .down), ("left", .left),
            ("right", .right), ("pgup", .pageUp), ("PgUp", .pageUp), ("pgdn", .pageDown), ("PgDn", .pageDown),
            ("home", .home), ("end", .end), ("ins", .insert),
        ]
        + (1...12).flatMap { [("F\($0)", .function($0)), ("f\($0)", .function($0))] }
        + "abdefghklnopqrstuvwxyz".flatMap { letter in
            [("ctrl-\(letter)", .control(letter)), ("^\(letter.uppercased())", .control(letter))]
        }

    private static let byName = Dictionary(named.map { ($0.name, $0.key) }) { first, _ in first }

    /// The key with a name such as `space`, `ctrl-r`, `^R`, `PgUp` or `F5`, or of a single character.
    public init?(named name: String) {
        if let key = Self.byName[name] {
            self = key
        } else if name.unicodeScalars.count == 1, let character = name.first, DisplayText.safe(name) == name {
            self = .character(character)
        } else {
            return nil
        }
    }

    /// Why a program never receives the key with that name, as the end of a sentence; `nil` if that is not known.
    public static func obstacle(toName name: String) -> String? {
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
