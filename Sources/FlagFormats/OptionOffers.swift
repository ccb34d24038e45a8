import FlagModel

/// The possible values of a flag, each with its origin.
struct OptionOffers {
    private var offers: [(value: String, labels: [String])] = []

    /// Adds a value with its origin; the same value from another origin is one option.
    mutating func offer(_ value: String, _ label: String?) {
        if let place = offers.firstIndex(where: { FlagText($0.value) == FlagText(value) }) {
            offers[place].labels += label.map { [$0] } ?? []
        } else {
            offers.append((value, label.map { [$0] } ?? []))
        }
    }

    /// The options. A bool always has `true` and `false`, however its values are spelled.
    func options(for type: FlagType?) -> [FlagOption] {
        guard type == .bool else { return offers.map { Self.option($0.value, $0.labels) } }
        let both = [true, false].map { truth in
            let labels = offers.filter { FlagReading.bool($0.value) == truth }.flatMap(\.labels)
            return Self.option(truth ? "true" : "false", labels)
        }
        return both + offers.filter { FlagReading.bool($0.value) == nil }.map { Self.option($0.value, $0.labels) }
    }

    private static func option(_ value: String, _ labels: [String]) -> FlagOption {
        FlagOption(value: value, label: labels.isEmpty ? nil : labels.joined(separator: ", "))
    }
}
