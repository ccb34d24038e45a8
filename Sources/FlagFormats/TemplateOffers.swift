package import FlagModel

/// The values that a parameter of a template can take, each with where it comes from.
package struct TemplateOffers {
    /// What every client without a matching condition gets; `nil` where that is up to the app.
    private(set) var remoteText: FlagText?
    private var offers: [(value: String, labels: [String])] = []

    /// No values yet.
    package init() {}

    /// Adds the values of one `RemoteConfigParameterValue`; `false` when it is none.
    ///
    /// - Parameter condition: the condition that chooses it; `nil` for the value of everybody else.
    mutating func add(_ value: JSONValue, condition: String?) -> Bool {
        guard value.kind == .object else { return value.kind == .null }
        if let text = value["value"]?.flagText {
            if condition == nil { remoteText = text }
            offer(text.string, condition)
        } else if let text = value["rolloutValue"]?["value"]?.flagText {
            // Only some clients get it, so it is an option and not the value of the layer.
            offer(text.string, Self.label(condition, "rollout"))
        } else if let variants = value["experimentValue"]?["variantValue"] {
            for variant in variants.elements {
                guard let text = variant["value"]?.flagText else { continue }
                let variantID = variant["variantId"]?.flagText?.string ?? ""
                offer(text.string, Self.label(condition, "variant \(variantID)"))
            }
        }
        // `useInAppDefault` and `personalizationValue` have no text, nor do forms that come later.
        return true
    }

    /// What stands for a value that not everybody under a condition gets.
    package static func label(_ condition: String?, _ word: String) -> String {
        condition.map { "\($0), \(word)" } ?? word
    }

    /// Adds a value with where it comes from; the same value from elsewhere is one option.
    package mutating func offer(_ value: String, _ label: String?) {
        if let place = offers.firstIndex(where: { FlagText($0.value) == FlagText(value) }) {
            offers[place].labels += label.map { [$0] } ?? []
        } else {
            offers.append((value, label.map { [$0] } ?? []))
        }
    }

    /// The options. A bool always offers `true` and `false`, however its values are spelled.
    package func options(for type: FlagType?) -> [FlagOption] {
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
