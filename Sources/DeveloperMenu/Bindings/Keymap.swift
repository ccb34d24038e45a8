public import TerminalUI

/// Which key asks for what: the bindings table, as the keys stand for this user.
public struct Keymap: Sendable, Equatable {
    /// Every binding, in table order.
    public let all: [Binding]
    /// Lists and not tables: they are short, and the first table of each kind makes the runtime look through all types of
    /// the program, before the first frame.
    private let keys: [Key]
    private let ranges: [Range]

    private struct Key: Sendable, Equatable {
        let context: Binding.Context
        let key: KeyPress
        let place: Int
    }

    private struct Range: Sendable {
        let context: Binding.Context
        var places: [Int]
    }

    /// The keys as they come.
    public static let standard = Keymap(Bindings.all)

    init(_ bindings: [Binding]) {
        all = bindings
        var (keys, ranges): ([Key], [Range]) = ([], [])
        for (place, binding) in bindings.enumerated() {
            for key in binding.keys { keys.append(Key(context: binding.context, key: key, place: place)) }
            if let range = ranges.firstIndex(where: { $0.context == binding.context }) {
                ranges[range].places.append(place)
            } else {
                ranges.append(Range(context: binding.context, places: [place]))
            }
        }
        self.keys = keys
        self.ranges = ranges
    }

    private func places(in context: Binding.Context) -> [Int] {
        ranges.first { $0.context == context }?.places ?? []
    }

    /// The binding that a key has in a context, if any.
    public func binding(for key: KeyPress, in context: Binding.Context) -> Binding? {
        // Of two bindings with one key the first in the table has it.
        keys.first { $0.context == context && $0.key == key }.map { all[$0.place] }
    }

    /// The binding that asks for something in a context, if any.
    public func binding(of intent: Intent, in context: Binding.Context) -> Binding? {
        places(in: context).first { all[$0].intent == intent }.map { all[$0] }
    }

    /// The bindings of a context, in table order.
    public func bindings(in context: Binding.Context) -> [Binding] {
        places(in: context).map { all[$0] }
    }

    /// Two keymaps are one when all bindings have the same keys in both.
    public static func == (left: Keymap, right: Keymap) -> Bool { left.keys == right.keys }
}
