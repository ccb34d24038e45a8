#if Metrics
public import CoreMetrics
import FlagModel
import FlagRemote
public import Flags

extension FlagStore {
    /// Counts in swift-metrics what happens to the flags from now on:
    ///
    /// | Counter | Dimensions | Counts |
    /// |---|---|---|
    /// | `flags.fetches` | `source`, `outcome` | responses of sources; `outcome` is `ok` or why the request failed |
    /// | `flags.changes` | `layer` | changes of effective values, by the layer of the new value |
    /// | `flags.exposures` | `flag`, `value` | values that were read, each once, and that nobody has set for testing |
    ///
    /// The dimensions have few values, as each combination is a time series. The values of a bool are counted by name,
    /// and so are the options of a flag, in the catalog or in code that has declared the flag before. Any other value is
    /// `other`, also that of a secret flag, and so is a flag that does not exist.
    ///
    /// - Parameters:
    ///   - countsExposures: whether exposures are counted; see ``onEvaluation(_:)``.
    ///   - factory: makes the counters; by default, the one that the server has bootstrapped.
    /// - Returns: the subscription. Counting ends when it is released.
    public func recordMetrics(
        countsExposures: Bool = false, factory: any MetricsFactory = MetricsSystem.factory
    ) -> FlagObservation {
        @Sendable func count(_ label: String, _ dimensions: [(String, String)]) {
            Counter(label: label, dimensions: dimensions, factory: factory).increment()
        }
        var observations = [
            observe { change in
                guard case .sources(let update) = change.cause, case .responded(let place) = update.cause else {
                    return
                }
                let source = update.state.sources[place]
                let outcome = source.error.map { "\($0.code)" } ?? "ok"
                count("flags.fetches", [("source", source.name), ("outcome", outcome)])
            },
            onChange { count("flags.changes", [("layer", $0.layer?.word ?? "none")]) },
        ]
        if countsExposures {
            // Adds the options in code to the catalog.
            listDeclared(.ofThisProcess())
            let exposures = onEvaluation { [weak self] evaluation in
                guard let self, !evaluation.isOverridden else { return }
                let flag = evaluation.errorCode == .flagNotFound ? "other" : evaluation.flagKey
                count("flags.exposures", [("flag", flag), ("value", countedValue(of: evaluation))])
            }
            observations.append(exposures)
        }
        return FlagObservation { [observations] in
            for observation in observations { observation.cancel() }
        }
    }

    private func countedValue(of evaluation: EvaluationDetails<String?>) -> String {
        let catalog = remoteReading.snapshot.catalog
        guard let value = evaluation.value, !SecretFlags().contains(evaluation.flagKey, in: catalog) else {
            return "other"
        }
        if evaluation.flagMetadata["type"] == FlagType.bool.rawValue, let isOn = FlagReading.bool(value) {
            return "\(isOn)"
        }
        let options = catalog.item(evaluation.flagKey)?.options ?? []
        return options.contains { $0.value == value } ? value : "other"
    }
}
#endif
