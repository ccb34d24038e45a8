import TerminalUI

/// What can be typed at the prompt of line mode to run an action: its keys, by character or by name, and words. All of
/// it comes from the table of actions, so that it is complete.
public struct LineModeCommands {
    /// The meaning of a typed text.
    public enum Meaning: Sendable {
        /// One action.
        case action(Action)
        /// The start of several words.
        case several([Action])
        /// No action.
        case nothing
    }

    private let actions: [Action]

    /// The commands of a part of the menu.
    public init(_ keymap: Keymap, in part: MenuPart) {
        actions = keymap.actions(in: part).filter { !$0.traits.contains(.needsScreen) }
    }

    /// The meaning of a text: a key wins over a word, a whole word over its start. A single character is a key or
    /// nothing: another key must not run an action that merely begins with it.
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

    /// The meaning of a text that is not a command here but a synonym for one. A single synonym is only explained, as
    /// `off` or `next` could have another meaning; several words count as a name.
    private func called(_ words: String) -> Meaning {
        let found = actions.filter { $0.words.contains(words) }
        guard let first = found.first else { return .nothing }
        return found.count == 1 && words.contains(" ") ? .action(first) : .several(found)
    }

    /// The action without a key that messages write after the key of the palette, such as `export`.
    func withoutKey(_ text: String) -> Action? {
        actions.first { $0.keys.isEmpty && $0.words.first == Self.normalized(text) }
    }

    /// The actions whose keys, words or help contain every one of some words; all of them for none.
    public func matching(_ text: String) -> [Action] {
        let words = Self.normalized(text).split(separator: " ")
        return actions.filter { action in
            let names = Self.words(for: action) + action.words + [action.help]
            let entry = names.joined(separator: " ").lowercased()
            return action.isNamed(text) || words.allSatisfy(entry.contains)
        }
    }

    /// A command in help: what can be typed for it, then its sentence.
    static func entry(_ action: Action) -> String {
        let characters = action.keys.compactMap { key -> String? in
            if case .character(let character) = key, character != " " { String(character) } else { nil }
        }
        let ways = (characters + [name(of: action)]).joined(separator: " or ")
        return "\(ways): \(action.help)"
    }

    /// The first word for an action.
    static func name(of action: Action) -> String { words(for: action)[0] }

    /// The words for an action: its label, and its id in words.
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
    /// Whether a text is one of the keys: the character itself, or a name such as `esc`, `^r` or `ctrl-r`, as in
    /// messages.
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
