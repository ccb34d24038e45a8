import FlagModel
import TerminalUI

extension Keymap {
    /// Applies the user's own keys to the table of actions.
    ///
    /// - Parameters:
    ///   - actions: the table.
    ///   - keys: the user's keys by the name of an action. They replace all standard keys of the action, and they are
    ///     no longer the standard keys of others.
    /// - Returns: the keymap, and a sentence for each assignment with an effect that the user may not expect.
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
        func claim(_ keys: [KeyPress], _ index: Int) {
            for key in keys where owners[key] == nil { owners[key] = index }
        }
        // Ctrl-C always quits.
        if let interrupt = indices.first(where: { actions[$0].id == .interrupt }) { claim([.control("c")], interrupt) }
        // If the user assigns a key twice, the action that has it as a standard key wins, otherwise the first one.
        for index in indices {
            guard let wanted = assigned[actions[index].name] else { continue }
            claim(actions[index].keys.filter(wanted.contains), index)
        }
        for index in indices { claim(assigned[actions[index].name] ?? [], index) }
        // The user's keys win over the standard keys of others, but a part of the menu keeps its way out.
        for index in indices where assigned[actions[index].name] == nil {
            let standard = actions[index].keys
            if actions[index].isWayOut, let key = standard.first, standard.allSatisfy({ owners[$0] != nil }) {
                owners[key] = index
            }
            claim(standard, index)
        }
        for index in indices {
            let wanted = assigned[actions[index].name]
            var granted = (wanted ?? actions[index].keys).filter { owners[$0] == index }
            for key in wanted ?? [] {
                guard let owner = owners[key], owner != index else { continue }
                clashes.append(clash(over: key, actions[owner], actions[index]))
            }
            // An action that would have no key gets back its standard keys, except those that other actions own.
            if granted.isEmpty, wanted?.isEmpty != true {
                granted = actions[index].keys.filter { owners[$0] == nil || owners[$0] == index }
                for key in granted { owners[key] = index }
            }
            if wanted == nil, granted.isEmpty, let key = actions[index].keys.first, let owner = owners[key] {
                clashes.append(loss(of: key, actions[index], to: actions[owner]))
            }
            if actions[index].id == .interrupt, !granted.contains(.control("c")) { granted.append(.control("c")) }
            actions[index].keys = granted.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }

    /// The user has assigned the only key of an action to another one.
    private static func loss(of key: KeyPress, _ loser: Action, to owner: Action) -> String {
        "\(key.name) is set for \"\(owner.name)\", so \"\(loser.name)\" has no key."
    }

    private static func clash(over key: KeyPress, _ owner: Action, _ loser: Action) -> String {
        "\(key.name) is set for \"\(owner.name)\" and \"\(loser.name)\"; \"\(owner.name)\" uses it."
    }
}
