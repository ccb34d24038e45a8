import FlagModel
import TerminalUI

extension Keymap {
    /// The table with keys of the user's own.
    ///
    /// - Parameter keys: keys by the name of a binding; such a binding has these and no others.
    /// - Returns: the keymap, and a sentence for each key that two bindings of a part ask for. Where that is so, the
    ///   binding that has the key in the table keeps it, else the one that stands first.
    static func remapping(
        _ bindings: [Binding], by keys: [String: [KeyPress]]
    ) -> (keymap: Keymap, clashes: [String]) {
        var clashes: [String] = []
        var remapped = bindings
        for indices in Dictionary(grouping: bindings.indices, by: { bindings[$0].context }).values {
            remap(indices, of: &remapped, by: keys, clashes: &clashes)
        }
        return (Keymap(all: remapped), clashes.sorted())
    }

    private static func remap(
        _ indices: [Int], of bindings: inout [Binding], by assigned: [String: [KeyPress]], clashes: inout [String]
    ) {
        var owners: [KeyPress: Int] = [:]
        // First those who keep what they have in the table, then the others in its order.
        for index in indices {
            let own = assigned[bindings[index].name].map { wanted in bindings[index].keys.filter(wanted.contains) }
            for key in own ?? bindings[index].keys where owners[key] == nil { owners[key] = index }
        }
        for index in indices {
            guard let wanted = assigned[bindings[index].name] else { continue }
            var granted: [KeyPress] = []
            for key in wanted where !granted.contains(key) {
                if let owner = owners[key], owner != index {
                    clashes.append(clash(over: key, bindings[owner], bindings[index]))
                } else {
                    owners[key] = index
                    granted.append(key)
                }
            }
            // Whoever loses every key by a clash keeps what is left of the standard ones.
            if granted.isEmpty, !wanted.isEmpty {
                granted = bindings[index].keys.filter { owners[$0] == nil || owners[$0] == index }
                for key in granted { owners[key] = index }
            }
            // Whatever else leaves, Ctrl-C does too.
            if bindings[index].intent == .interrupt, !granted.contains(.control("c")) { granted.append(.control("c")) }
            bindings[index].keys = granted
        }
    }

    private static func clash(over key: KeyPress, _ owner: Binding, _ other: Binding) -> String {
        "\(key.name) is asked for by \"\(owner.name)\" and by \"\(other.name)\"; it stays with \"\(owner.name)\"."
    }
}

extension Bindings {
    /// The binding of a name such as `list.toggle`.
    static func named(_ name: String) -> Binding? { all.first { $0.name == name } }
}

extension Binding {
    /// What a configuration calls the binding: where it holds, and what it asks for.
    public var name: String { "\(context.rawValue).\(intent.rawValue)" }

    /// Whether somebody without this binding would be lost.
    public var isWayOut: Bool { [.help, .quit, .cancel, .interrupt].contains(intent) }
}

extension Binding.Context {
    /// Whether characters are typed there as text, so that none can be a key.
    public var takesText: Bool { Bindings.bindings(in: self).contains { $0.intent == .deleteBackward } }
}

extension MenuState {
    /// The first key of a binding as the user has it; where the user took its keys away, the key of the palette, or
    /// outside the list of help, and the words that find it there.
    func keyName(of intent: Intent, in context: Binding.Context = .list) -> String {
        func name(_ intent: Intent) -> String? {
            keymap.binding(of: intent, in: context)?.keys.first?.displayName(charset: charset)
        }
        if let name = name(intent) { return name }
        let words = keymap.binding(of: intent, in: context).map(LinearCommands.name) ?? intent.rawValue
        let finder = (context == .list ? name(.palette) : nil) ?? name(.help)
        return finder.map { "\($0) \(words)" } ?? words
    }

    /// The same to begin a sentence with.
    func keyWord(of intent: Intent, in context: Binding.Context = .list) -> String {
        let name = keyName(of: intent, in: context)
        return name.count > 1 ? name.capitalized : name
    }
}
