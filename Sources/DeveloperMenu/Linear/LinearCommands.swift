import TerminalUI

/// What can be typed at the prompt of the menu of lines to ask for a binding: its keys, by character or by name, and
/// words. All of it comes from the bindings table, so that nothing can be missing.
public struct LinearCommands {
    /// What a typed text means.
    public enum Meaning: Sendable {
        /// One thing.
        case binding(Binding)
        /// The start of several words.
        case several([Binding])
        /// Nothing.
        case nothing
    }

    private let bindings: [Binding]

    /// Intents that mean nothing where lines only ever follow each other: there is no screen to repaint, no style, and
    /// nothing to point at.
    public static let meaningless: Set<Intent> = [.repaint, .changeTheme, .switchMouse]

    /// The commands of a part of the menu.
    public init(_ keymap: Keymap, in context: Binding.Context) {
        bindings = keymap.bindings(in: context).filter { !Self.meaningless.contains($0.intent) }
    }

    /// What a text asks for: a key counts more than a word, a whole word more than its start. A single character is a
    /// key or nothing: who types the key of something else is not to get what merely begins with it.
    public func meaning(of text: String) -> Meaning {
        if let binding = bindings.first(where: { $0.isNamed(text) }) { return .binding(binding) }
        let words = Self.normalized(text)
        guard !words.isEmpty else { return .nothing }
        if let binding = bindings.first(where: { Self.words(for: $0).contains(words) }) { return .binding(binding) }
        guard words.count > 1 else { return .nothing }
        let started = bindings.filter { binding in Self.words(for: binding).contains { $0.hasPrefix(words) } }
        guard let first = started.first else { return called(words) }
        return started.allSatisfy { $0.intent == first.intent } ? .binding(first) : .several(started)
    }

    /// What a text may mean that is no command here but a word for one. What such a word does is only told, as `off` or
    /// `next` could be meant otherwise; several words are as good as a name.
    private func called(_ words: String) -> Meaning {
        let found = bindings.filter { $0.words.contains(words) }
        guard let first = found.first else { return .nothing }
        return found.count == 1 && words.contains(" ") ? .binding(first) : .several(found)
    }

    /// The bindings whose keys, words or help hold every one of some words; all of them for none.
    public func matching(_ text: String) -> [Binding] {
        let words = Self.normalized(text).split(separator: " ")
        return bindings.filter { binding in
            let names = Self.words(for: binding) + binding.words + [binding.help]
            let entry = names.joined(separator: " ").lowercased()
            return binding.isNamed(text) || words.allSatisfy(entry.contains)
        }
    }

    /// How help writes a command: what can be typed for it, then what it does.
    static func entry(_ binding: Binding) -> String {
        let characters = binding.keys.compactMap { key -> String? in
            if case .character(let character) = key, character != " " { String(character) } else { nil }
        }
        let ways = (characters + [name(of: binding)]).joined(separator: " or ")
        return "\(ways): \(binding.help)"
    }

    /// The first word for a binding.
    static func name(of binding: Binding) -> String { words(for: binding)[0] }

    /// The words for a binding: its label, and the intent spelled in words.
    static func words(for binding: Binding) -> [String] {
        var spelled = ""
        for character in binding.intent.rawValue {
            spelled += character.isUppercase ? " \(character.lowercased())" : String(character)
        }
        let label = binding.label.map(normalized)
        return label.map { $0 == spelled ? [$0] : [$0, spelled] } ?? [spelled]
    }

    private static func normalized(_ text: String) -> String {
        text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Binding {
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
