import FlagModel
import TerminalUI

extension Keymap {
    /// Applies the user's own keys to the table of actions.
    ///
    /// - Parameters:
    ///   - actions: the table.
    ///   - keys: the user's keys by the name of an action. They replace all standard keys of the action.
    /// - Returns: the keymap, and a sentence for each key that is assigned to two actions of one part. Such a key runs
    ///   the action that has the key in the table or, if neither action has the key, the first of the two actions.
    static func remapping(
        _ actions: [Action], by keys: [String: [KeyPress]]
    ) -> (keymap: Keymap, clashes: [String]) {
        var clashes: [String] = []
        var remapped = actions
        for indices in Dictionary(grouping: actions.indices, by: { actions[$0].part }).values {
            remap(indices, of: &remapped, by: keys, clashes: &clashes)
        }
        return (Keymap(all: remapped), clashes.sorted())
    }

    private static func remap(
        _ indices: [Int], of actions: inout [Action], by assigned: [String: [KeyPress]], clashes: inout [String]
    ) {
        var owners: [KeyPress: Int] = [:]
        // First, each action gets the standard keys that the user did not remove. Then the user's other keys are
        // assigned, in table order.
        for index in indices {
            let keptKeys = assigned[actions[index].name].map { wanted in actions[index].keys.filter(wanted.contains) }
            for key in keptKeys ?? actions[index].keys where owners[key] == nil { owners[key] = index }
        }
        for index in indices {
            guard let wanted = assigned[actions[index].name] else { continue }
            var granted: [KeyPress] = []
            for key in wanted where !granted.contains(key) {
                if let owner = owners[key], owner != index {
                    clashes.append(clash(over: key, actions[owner], actions[index]))
                } else {
                    owners[key] = index
                    granted.append(key)
                }
            }
            // An action that would have no key gets back its standard keys, except those that other actions own.
            if granted.isEmpty, !wanted.isEmpty {
                granted = actions[index].keys.filter { owners[$0] == nil || owners[$0] == index }
                for key in granted { owners[key] = index }
            }
            // Ctrl-C always quits.
            if actions[index].id == .interrupt, !granted.contains(.control("c")) { granted.append(.control("c")) }
            actions[index].keys = granted
        }
    }

    private static func clash(over key: KeyPress, _ owner: Action, _ loser: Action) -> String {
        "\(key.name) is set for \"\(owner.name)\" and \"\(loser.name)\"; \"\(owner.name)\" uses it."
    }
}

extension MenuState {
    /// The name of an action's first key in the user's keymap. If the action has no key: the key of the palette
    /// (outside the list, of help), followed by the words that find the action there.
    func keyName(of id: Action.ID, in part: MenuPart = .list) -> String {
        func firstKey(of id: Action.ID) -> String? {
            keymap.action(id, in: part)?.keys.first?.displayName(charset: charset)
        }
        if let key = firstKey(of: id) { return key }
        let words = keymap.action(id, in: part).map(wordsToFind) ?? id.rawValue
        let finder = (part == .list ? firstKey(of: .palette) : nil) ?? firstKey(of: .help)
        return finder.map { "\($0) \(words)" } ?? words
    }

    /// The words that find an action in the palette: the first of its names that is not the first synonym of another
    /// action without a key.
    private func wordsToFind(_ action: Action) -> String {
        let reservedWords = keymap.actions(in: .list).filter { $0.keys.isEmpty && $0.id != action.id }
            .compactMap(\.words.first)
        let words = [LineModeCommands.name(of: action)] + action.words
        return words.first { !reservedWords.contains($0) } ?? action.id.rawValue
    }

    /// ``keyName(of:in:)`` for the start of a sentence: capitalized, unless it is a single character.
    func keyWord(of id: Action.ID, in part: MenuPart = .list) -> String {
        let name = keyName(of: id, in: part)
        return name.count > 1 ? name.capitalized : name
    }
}
