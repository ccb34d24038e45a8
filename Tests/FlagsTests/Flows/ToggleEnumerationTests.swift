import Flags
import Synchronization
import TestSupport
import Testing

/// Toggles as an enumeration, each with an identifier and a fallback.
private enum FeatureToggle: String, CaseIterable {
    case feature1, feature2

    var key: FlagKey<Bool> {
        switch self {
        case .feature1: FlagKey(rawValue, default: false)
        case .feature2: FlagKey(rawValue, default: true)
        }
    }
}

/// The flows of CloudKitFeatureToggles: identifiable toggles with a fallback, retrieving, update notifications.
@Suite("Identifiable toggles")
struct ToggleEnumerationTests {
    private let place = AppPlace()
    private let source = FakeSource("cloudkit")

    @Test func `a toggle without a record uses its fallback`() {
        let flags = place.store([source])
        #expect(FeatureToggle.allCases.map { flags[$0.key] } == [false, true])
    }

    @Test func `an identifier always names the same toggle`() {
        #expect(FeatureToggle.feature1.key.name == "feature1")
        let flags = place.store([source])
        flags.updateRemote(["feature1": "1", "feature2": "0"])
        #expect(FeatureToggle.allCases.map { flags[$0.key] } == [true, false])
    }

    @Test func `retrieving reads cached values without a request`() async {
        source.respond(["feature1": "1"])
        await place.store([source]).fetchAndActivate()
        source.respond(["feature1": "0"])
        let flags = place.store([source])
        #expect(flags[FeatureToggle.feature1.key])
        #expect(source.requests.count == 1)
    }

    @Test func `toggles are fetched once at the start of the app`() async {
        source.respond(["feature1": "1", "feature2": "0"])
        let flags = place.store([source])
        #expect(await flags.start(waitingAtMost: .seconds(300)) == .fetchedFromRemote)
        #expect(FeatureToggle.allCases.map { flags[$0.key] } == [true, false])
        #expect(source.requests.count == 1)
    }

    @Test func `a push makes the app fetch, and observers get each changed toggle with its new value`() async {
        source.respond(["feature1": "0", "feature2": "1"])
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        let reported = Mutex<[String: Bool]>([:])
        let observation = flags.onChange { change in
            guard let toggle = FeatureToggle(rawValue: change.key) else { return }
            // Reads the flag in the handler: it already has the reported value.
            reported.withLock { $0[change.key] = flags[toggle.key] }
        }
        source.respond(["feature1": "1", "feature2": "0"])
        #expect(await flags.fetchAndActivate(minimumInterval: .zero) == .fetchedFromRemote)
        #expect(Clock.wait { reported.withLock { $0 } == ["feature1": true, "feature2": false] })
        withExtendedLifetime(observation) {}
        let restarted = place.store([source])
        #expect(FeatureToggle.allCases.map { restarted[$0.key] } == [true, false])
    }

    @Test func `unchanged toggles are not reported`() async {
        source.respond(["feature1": "0", "feature2": "1"])
        let flags = place.store([source])
        await flags.fetchAndActivate()
        var changes = flags.changes.makeAsyncIterator()
        // Another spelling of the same value is not a change either.
        source.respond(["feature1": "false", "feature2": "0"])
        await flags.fetchAndActivate()
        let change = await changes.next()
        #expect(change == FlagChange(key: "feature2", old: "1", new: "0", layer: .remote))
    }
}
