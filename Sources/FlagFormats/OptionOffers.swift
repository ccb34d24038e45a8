import FlagModel

/// Collects the possible values of a flag, each with its origins, as options.
struct OptionOffers {
    /// Whether the labels are the names of the values, such as those of variants.
    private let areNames: Bool
    private var offers: [(value: String, labels: [String])] = []
    /// The index of each value in `offers`.
    private var indices: [FlagText: Int] = [:]

    init(areNames: Bool = false) { self.areNames = areNames }

    /// Adds a value; `label` is its origin. An equal value becomes one option with both origins.
    mutating func offer(_ value: String, _ label: String?) {
        let index = indices[FlagText(value)] ?? offers.count
        if index == offers.count {
            indices[FlagText(value)] = index
            offers.append((value, []))
        }
        if let label { offers[index].labels.append(label) }
    }

    /// The options. A bool always has `true` and `false`, however its values are spelled.
    func options(for type: FlagType?) -> [FlagOption] {
        guard type == .bool else { return offers.map { option($0.value, $0.labels) } }
        let both = [true, false].map { bool in
            let labels = offers.filter { FlagReading.bool($0.value) == bool }.flatMap(\.labels)
            return option(bool ? "true" : "false", labels)
        }
        return both + offers.filter { FlagReading.bool($0.value) == nil }.map { option($0.value, $0.labels) }
    }

    private func option(_ value: String, _ labels: [String]) -> FlagOption {
        FlagOption(value: value, label: labels.isEmpty ? nil : labels.joined(separator: ", "), isNamed: areNames)
    }
}
