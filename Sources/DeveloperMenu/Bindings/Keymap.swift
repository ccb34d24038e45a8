public import TerminalUI

/// Which key asks for what: the bindings table, as the keys stand for this user.
public struct Keymap: Sendable, Equatable {
    /// Every binding, in table order.
    public let all: [Binding]

    /// The keys as they come.
    public static let standard = Keymap(all: Bindings.all)

    /// The binding that a key has in a context, if any.
    public func binding(for key: KeyPress, in context: Binding.Context) -> Binding? {
        // Of two bindings with one key the first in the table has it.
        all.first { $0.context == context && $0.keys.contains(key) }
    }

    /// The binding that asks for something in a context, if any.
    public func binding(of intent: Intent, in context: Binding.Context) -> Binding? {
        all.first { $0.context == context && $0.intent == intent }
    }

    /// The bindings of a context, in table order.
    public func bindings(in context: Binding.Context) -> [Binding] {
        all.filter { $0.context == context }
    }

    /// Two keymaps are one when all bindings have the same keys in both.
    public static func == (left: Keymap, right: Keymap) -> Bool {
        left.all.elementsEqual(right.all) { $0.keys == $1.keys }
    }
}
