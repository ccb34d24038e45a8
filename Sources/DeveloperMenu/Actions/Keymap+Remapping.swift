import FlagModel
import TerminalUI

extension Keymap {
    /// The table with the user's own keys.
    ///
    /// - Parameter keys: keys by the name of an action; such an action has these and no others.
    /// - Returns: the keymap, and a sentence for each key that two actions of a part want. The action that has the key
    ///   in the table gets it, else the first one.
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
        // First actions that keep their keys in the table, then the others in its order.
        for index in indices {
            let own = assigned[actions[index].name].map { wanted in actions[index].keys.filter(wanted.contains) }
            for key in own ?? actions[index].keys where owners[key] == nil { owners[key] = index }
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
            // An action that loses all its keys to others keeps the remaining standard ones.
            if granted.isEmpty, !wanted.isEmpty {
                granted = actions[index].keys.filter { owners[$0] == nil || owners[$0] == index }
                for key in granted { owners[key] = index }
            }
            // Ctrl-C always quits.
            if actions[index].id == .interrupt, !granted.contains(.control("c")) { granted.append(.control("c")) }
            actions[index].keys = granted
        }
    }

    private static func clash(over key: KeyPress, _ owner: Action, _ other: Action) -> String {
        "\(key.name) is set for \"\(owner.name)\" and \"\(other.name)\"; \"\(owner.name)\" uses it."
    }
}

extension MenuState {
    /// The first key of an action in the user's keymap; if it has none, the key of the palette, or outside the list of
    /// help, with the words that find it there.
    func keyName(of id: Action.ID, in part: MenuPart = .list) -> String {
        func name(_ id: Action.ID) -> String? {
            keymap.action(id, in: part)?.keys.first?.displayName(charset: charset)
        }
        if let name = name(id) { return name }
        let words = keymap.action(id, in: part).map(wordsToFind) ?? id.rawValue
        let finder = (part == .list ? name(.palette) : nil) ?? name(.help)
        return finder.map { "\($0) \(words)" } ?? words
    }

    /// The name of an action, or another word for an action that never had a key.
    private func wordsToFind(_ action: Action) -> String {
        let taken = keymap.actions(in: .list).filter { $0.keys.isEmpty && $0.id != action.id }.compactMap(\.words.first)
        let words = [LineModeCommands.name(of: action)] + action.words
        return words.first { !taken.contains($0) } ?? action.id.rawValue
    }

    /// The first key of an action, to begin a sentence with.
    func keyWord(of id: Action.ID, in part: MenuPart = .list) -> String {
        let name = keyName(of: id, in: part)
        return name.count > 1 ? name.capitalized : name
    }
}
