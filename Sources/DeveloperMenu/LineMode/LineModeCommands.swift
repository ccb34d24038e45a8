import TerminalUI

/// What can be typed at the prompt of the menu of lines to ask for an action: its keys, by character or by name, and
/// words. All of it comes from the table of actions, so that nothing can be missing.
public struct LineModeCommands {
    /// What a typed text means.
    public enum Meaning: Sendable {
        /// One thing.
        case action(Action)
        /// The start of several words.
        case several([Action])
        /// Nothing.
        case nothing
    }

    private let actions: [Action]

    /// The commands of a part of the menu.
    public init(_ keymap: Keymap, in part: MenuPart) {
        actions = keymap.actions(in: part).filter { !$0.traits.contains(.needsScreen) }
    }

    /// What a text asks for: a key counts more than a word, a whole word more than its start. A single character is a
    /// key or nothing: who types the key of something else is not to get what merely begins with it.
    public func meaning(of text: String) -> Meaning {
        if let action = actions.first(where: { $0.isNamed(text) }) { return .action(action) }
        let words = Self.normalized(text)
        guard !words.isEmpty else { return .nothing }
        if let action = actions.first(where: { Self.words(for: $0).contains(words) }) { return .action(action) }
        guard words.count > 1 else { return .nothing }
        let started = actions.filter { action in Self.words(for: action).contains { $0.hasPrefix(words) } }
        guard let first = started.first else { return called(words) }
        return started.allSatisfy { $0.id == first.id } ? .action(first) : .several(started)
    }

    /// What a text may mean that is no command here but a word for one. What such a word does is only told, as `off` or
    /// `next` could be meant otherwise; several words are as good as a name.
    private func called(_ words: String) -> Meaning {
        let found = actions.filter { $0.words.contains(words) }
        guard let first = found.first else { return .nothing }
        return found.count == 1 && words.contains(" ") ? .action(first) : .several(found)
    }

    /// The action without a key that messages write like this behind the key of the palette, such as `export`.
    func withoutKey(_ text: String) -> Action? {
        actions.first { $0.keys.isEmpty && $0.words.first == Self.normalized(text) }
    }

    /// The actions whose keys, words or help hold every one of some words; all of them for none.
    public func matching(_ text: String) -> [Action] {
        let words = Self.normalized(text).split(separator: " ")
        return actions.filter { action in
            let names = Self.words(for: action) + action.words + [action.help]
            let entry = names.joined(separator: " ").lowercased()
            return action.isNamed(text) || words.allSatisfy(entry.contains)
        }
    }

    /// How help writes a command: what can be typed for it, then what it does.
    static func entry(_ action: Action) -> String {
        let characters = action.keys.compactMap { key -> String? in
            if case .character(let character) = key, character != " " { String(character) } else { nil }
        }
        let ways = (characters + [name(of: action)]).joined(separator: " or ")
        return "\(ways): \(action.help)"
    }

    /// The first word for an action.
    static func name(of action: Action) -> String { words(for: action)[0] }

    /// The words for an action: its label, and the id spelled in words.
    static func words(for action: Action) -> [String] {
        var spelled = ""
        for character in action.id.rawValue {
            spelled += character.isUppercase ? " \(character.lowercased())" : String(character)
        }
        let label = action.label.map(normalized)
        return label.map { $0 == spelled ? [$0] : [$0, spelled] } ?? [spelled]
    }

    private static func normalized(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Action {
    /// Whether a text is one of the keys: the character itself, or a name such as `esc`, `^r` or `ctrl-r`, as messages
    /// write it.
    fileprivate func isNamed(_ text: String) -> Bool {
        keys.contains { key in
            switch key {
            case .character(let character) where character != " ": text == String(character)
            case .control(let letter):
                ["^\(letter)", "ctrl-\(letter)", "c-\(letter)"].contains(text.lowercased())
            default: text.lowercased() == key.name.lowercased()
            }
        }
    }
}
