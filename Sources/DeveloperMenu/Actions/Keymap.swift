import FlagModel
public import TerminalUI

/// The table of actions with the user's keys.
public struct Keymap: Sendable, Equatable {
    /// Every action, in table order.
    public let all: [Action]
    private let actionsByPart: [MenuPart: [Action]]

    private init(all: [Action]) {
        self.all = all
        actionsByPart = Dictionary(grouping: all, by: \.part)
    }

    /// The standard keys.
    public static let standard = Keymap(all: ActionTable.all)

    /// The action that a key runs in a part of the menu, if any.
    public func action(for key: KeyPress, in part: MenuPart) -> Action? {
        // If two actions have the same key, the first in the table wins.
        actions(in: part).first { $0.keys.contains(key) }
    }

    /// The action with an id in a part of the menu, if any.
    public func action(_ id: Action.ID, in part: MenuPart) -> Action? {
        actions(in: part).first { $0.id == id }
    }

    /// The actions of a part of the menu, in table order.
    public func actions(in part: MenuPart) -> [Action] { actionsByPart[part] ?? [] }

    /// Two keymaps are equal if all actions have the same keys in both.
    public static func == (left: Keymap, right: Keymap) -> Bool {
        left.all.elementsEqual(right.all) { $0.keys == $1.keys }
    }

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
                let (winner, loser) = (actions[owner].name, actions[index].name)
                clashes.append("\(key.name) is set for \"\(winner)\" and \"\(loser)\"; \"\(winner)\" uses it.")
            }
            // An action that would have no key gets back its standard keys, except those that other actions own.
            if granted.isEmpty, wanted?.isEmpty != true {
                granted = actions[index].keys.filter { owners[$0] == nil || owners[$0] == index }
                for key in granted { owners[key] = index }
            }
            if wanted == nil, granted.isEmpty, let key = actions[index].keys.first, let owner = owners[key] {
                let (winner, loser) = (actions[owner].name, actions[index].name)
                clashes.append("\(key.name) is set for \"\(winner)\", so \"\(loser)\" has no key.")
            }
            if actions[index].id == .interrupt, !granted.contains(.control("c")) { granted.append(.control("c")) }
            actions[index].keys = granted.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}

// The names of keys in sentences.
extension UserSettings {
    /// The name of an action's first key in the user's keymap. If the action has no key: the key of the palette
    /// (outside the list, of help), followed by the words that find the action there.
    func keyName(of id: Action.ID, in part: MenuPart) -> String {
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
}

extension MenuState {
    /// The name of an action's key; see ``UserSettings/keyName(of:in:)``.
    func keyName(of id: Action.ID, in part: MenuPart = .list) -> String { settings.keyName(of: id, in: part) }

    /// ``keyName(of:in:)`` for the start of a sentence: capitalized, unless it is a single character.
    func keyWord(of id: Action.ID, in part: MenuPart = .list) -> String {
        let name = keyName(of: id, in: part)
        return name.count > 1 ? name.capitalized : name
    }
}
