import Flags
import Observation
import Synchronization

// The code of the articles on observing, evaluating and previewing flags, word for word.

struct LocationView: View {
    @Environment var flags: ObservableFlags

    var body: Text { Text(flags[.multipleLocations] ? "Locations" : "Location") }
}

@MainActor var preview: some View {
    LocationView(flags: ObservableFlags(.inMemory([.set(.multipleLocations, to: true)])))
}

@MainActor @Observable
final class LocationModel {
    private let flags: ObservableFlags

    init(_ flags: ObservableFlags) { self.flags = flags }

    var title: String { flags[.multipleLocations] ? "Locations" : "Location" }
}

actor Prices {
    let flags: ObservableFlags
    private(set) var text = ""

    init(_ flags: ObservableFlags) { self.flags = flags }

    func redraw() {
        withObservationTracking {
            text = flags[.multipleLocations] ? "Prices of all locations" : "Prices"
        } onChange: {
            Task { [weak self] in await self?.redraw() }
        }
    }
}

enum Theme: String, CaseIterable, FlagValue { case plain, festive }
struct Banner: Codable, FlagValue {
    var text: String
}

struct ShopFlags: FlagNamespace {
    let multipleLocations = FlagKey("enable_multiple_locations", default: false)
    let theme = FlagKey("theme", default: Theme.plain)
}

struct Checkout {
    @Flag(.multipleLocations) var hasMultipleLocations
}

/// A recorder of events, as an analytics library has one: for any thread.
nonisolated final class Analytics: Sendable {
    private let events = Mutex<[String]>([])

    var recorded: [String] { events.withLock { $0 } }

    func record(_ event: String, value: String?, variant: String) {
        events.withLock { $0.append("\(event): \(value ?? "none"), \(variant)") }
    }
}

func recordExposures(of flags: FlagStore, to analytics: Analytics) -> FlagObservation {
    flags.onEvaluation { evaluation in
        if evaluation.isOverridden { return }
        analytics.record(
            "exposure of \(evaluation.flagKey)", value: evaluation.value, variant: evaluation.variant)
    }
}

func describe(_ flags: FlagStore) -> String {
    let details = flags.evaluationDetails(of: .multipleLocations)
    return "\(details.flagKey) is \(details.value): \(details.reason.rawValue), \(details.variant)"
        + (details.errorMessage.map { ". \($0)" } ?? "")
}
