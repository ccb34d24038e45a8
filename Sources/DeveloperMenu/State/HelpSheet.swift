/// Help: the bindings table, filtered as somebody types; Enter runs what is selected.
public struct HelpSheet: Sendable, Equatable {
    /// What is typed.
    public internal(set) var filter = TextField()
    /// The index of the selected entry among those that match.
    public internal(set) var selection = 0

    /// The entries that match: first what works in the list, then every other context.
    public var entries: [Binding] {
        let words = filter.text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        return Bindings.all.filter { binding in
            let text = "\(binding.keyNames()) \(binding.label ?? "") \(binding.help) \(binding.context.heading)"
                .lowercased()
            return words.allSatisfy(text.contains)
        }
    }

    mutating func move(by count: Int) {
        selection = max(0, min(selection + count, entries.count - 1))
    }
}
