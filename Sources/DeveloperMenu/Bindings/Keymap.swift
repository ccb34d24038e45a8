public import TerminalUI

/// Which key asks for what: the bindings table, as the keys stand for this user.
public struct Keymap: Sendable, Equatable {
    /// Every binding, in table order.
    public let all: [Binding]
    private let lookup: [Binding.Context: [KeyPress: Int]]
    private let ranges: [Binding.Context: [Int]]

    /// The keys as they come.
    public static let standard = Keymap(Bindings.all)

    init(_ bindings: [Binding]) {
        all = bindings
        var lookup: [Binding.Context: [KeyPress: Int]] = [:]
        for (index, binding) in bindings.enumerated() {
            for key in binding.keys where lookup[binding.context]?[key] == nil {
                lookup[binding.context, default: [:]][key] = index
            }
        }
        self.lookup = lookup
        ranges = Dictionary(grouping: bindings.indices) { bindings[$0].context }
    }

    /// The binding that a key has in a context, if any.
    public func binding(for key: KeyPress, in context: Binding.Context) -> Binding? {
        lookup[context]?[key].map { all[$0] }
    }

    /// The binding that asks for something in a context, if any.
    public func binding(of intent: Intent, in context: Binding.Context) -> Binding? {
        ranges[context]?.first { all[$0].intent == intent }.map { all[$0] }
    }

    /// The bindings of a context, in table order.
    public func bindings(in context: Binding.Context) -> [Binding] {
        ranges[context, default: []].map { all[$0] }
    }

    /// Two keymaps are one when every key does the same in both.
    public static func == (left: Keymap, right: Keymap) -> Bool { left.lookup == right.lookup }
}
