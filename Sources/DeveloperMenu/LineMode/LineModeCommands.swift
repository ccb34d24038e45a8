import FlagModel
import TerminalUI

/// The commands that run actions at the prompt of line mode: the keys of an action, as characters or names, and words.
/// The commands are derived from the table of actions, so every action has a command.
public struct LineModeCommands {
    /// The meaning of a typed text.
    public enum Meaning: Sendable {
        /// One action.
        case action(Action)
        /// The beginning of the commands of several actions, or a synonym that only suggests actions.
        case several([Action])
        /// No action.
        case nothing

        init(_ actions: [Action]) {
            self = actions.count > 1 ? .several(actions) : actions.first.map(Self.action) ?? .nothing
        }
    }

    private let actions: [Action]

    /// The commands of the actions in a part of the menu.
    public init(_ keymap: Keymap, in part: MenuPart) {
        actions = keymap.actions(in: part).filter { !$0.traits.contains(.needsScreen) }
    }

    /// The meaning of a text. A key takes precedence over a word, and a whole word over the beginning of a word. A
    /// single character is only looked up as a key, because a wrong key must not run an action whose word begins with
    /// it.
    public func meaning(of text: String) -> Meaning {
        if let action = actions.first(where: { $0.isNamed(text) }) { return .action(action) }
        let words = Self.normalized(text)
        guard !words.isEmpty else { return .nothing }
        if let action = actions.first(where: { Self.words(for: $0).contains(words) }) { return .action(action) }
        guard words.count > 1 else { return .nothing }
        let candidates = actions.filter { action in Self.words(for: action).contains { $0.hasPrefix(words) } }
        if !candidates.isEmpty { return Meaning(candidates) }
        let synonyms = actions.filter { $0.words.contains(words) }
        // A synonym of one word, such as `off` or `next`, could have another meaning, so it only suggests the action.
        return synonyms.isEmpty || words.contains(" ") ? Meaning(synonyms) : .several(synonyms)
    }

    /// The meaning of the name of an action, which may be any words of its command, its synonyms or its help.
    func meaning(ofName text: String) -> Meaning {
        // Messages write the first synonym of an action without a key as `:export`.
        let keyless = actions.first { $0.keys.isEmpty && $0.words.first == Self.normalized(text) }
        if let keyless { return .action(keyless) }
        if case .action(let action) = meaning(of: text) { return .action(action) }
        return Meaning(matching(text))
    }

    /// The actions whose commands, synonyms or help contain every word of a text; all actions for an empty text.
    public func matching(_ text: String) -> [Action] {
        let words = Self.normalized(text).split(separator: " ")
        return actions.filter { action in
            let names = Self.words(for: action) + action.words + [action.help]
            let entry = names.joined(separator: " ").lowercased()
            return action.isNamed(text) || words.allSatisfy(entry.contains)
        }
    }

    /// The line for an action in the list of commands: the keys and the word that run it, then its help.
    static func entry(_ action: Action) -> String {
        let characters = action.keys.map(\.name).filter { $0.count == 1 }
        let ways = (characters + [name(of: action)]).joined(separator: " or ")
        // The help begins with the action's name, which is often the word to type.
        let parts = action.help.split(separator: ": ", maxSplits: 1)
        let isNamed = parts.count == 2 && ways.hasSuffix(parts[0].lowercased())
        return "\(ways): \(isNamed ? String(parts[1]).capitalized : action.help)"
    }

    /// The first word that runs an action.
    static func name(of action: Action) -> String { words(for: action)[0] }

    /// The words that run an action: its label, and its id in words.
    static func words(for action: Action) -> [String] {
        let spelled = action.id.rawValue.replacing(/[A-Z]/) { " \($0.output.lowercased())" }
        let label = action.label.map(normalized)
        return label.map { $0 == spelled ? [$0] : [$0, spelled] } ?? [spelled]
    }

    /// The text in lower case, with single spaces.
    private static func normalized(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Action {
    /// Whether a text is one of the action's keys: the character itself, or a name such as `esc`, `^r` or `ctrl-r`.
    fileprivate func isNamed(_ text: String) -> Bool {
        keys.contains { key in
            switch key {
            case .character(let character) where character != " ": text == String(character)
            case .control(let letter): ["^\(letter)", "ctrl-\(letter)", "c-\(letter)"].contains(text.lowercased())
            default: text.lowercased() == key.name.lowercased()
            }
        }
    }
}
