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

/// The flows of CloudKitFeatureToggles: identifiable toggles with a fallback, retrieving, news of updates.
@Suite("Seed 003: identifiable toggles")
struct Seed003Tests {
    private let place = AppPlace()
    private let source = FakeSource("cloudkit")

    @Test("a toggle that no record has is its fallback")
    func fallback() {
        let flags = place.store([source])
        #expect(FeatureToggle.allCases.map { flags[$0.key] } == [false, true])
    }

    @Test("an identifier names one toggle, however often it is made")
    func identifiable() {
        #expect(FeatureToggle.feature1.key.name == "feature1")
        let flags = place.store([source])
        flags.updateRemote(["feature1": "1", "feature2": "0"])
        #expect(FeatureToggle.allCases.map { flags[$0.key] } == [true, false])
    }

    @Test("retrieving gives what was saved on this machine, and asks nobody")
    func retrieve() async {
        source.say(["feature1": "1"])
        await place.store([source]).fetchAndActivate()
        source.say(["feature1": "0"])
        let flags = place.store([source])
        #expect(flags[FeatureToggle.feature1.key])
        #expect(source.questions.count == 1)
    }

    @Test("toggles are fetched once at the start of the app")
    func fetchedAtStart() async {
        source.say(["feature1": "1", "feature2": "0"])
        let flags = place.store([source])
        #expect(await flags.start(waitingAtMost: .seconds(300)) == .fetchedFromRemote)
        #expect(FeatureToggle.allCases.map { flags[$0.key] } == [true, false])
        #expect(source.questions.count == 1)
    }

    @Test(
        "a push makes the app fetch, and whoever subscribed is told of each toggle that changed, saved before it is told"
    )
    func updateNotification() async {
        source.say(["feature1": "0", "feature2": "1"])
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        let told = Mutex<[String: Bool]>([:])
        let observation = flags.onChange { change in
            guard let toggle = FeatureToggle(rawValue: change.key) else { return }
            // Told and read are one.
            told.withLock { $0[change.key] = flags[toggle.key] }
        }
        source.say(["feature1": "1", "feature2": "0"])
        #expect(await flags.fetchAndActivate(minimumInterval: .zero) == .fetchedFromRemote)
        #expect(Clock.wait { told.withLock { $0 } == ["feature1": true, "feature2": false] })
        withExtendedLifetime(observation) {}
        let again = place.store([source])
        #expect(FeatureToggle.allCases.map { again[$0.key] } == [true, false])
    }

    @Test("toggles that did not change are not told")
    func unchangedToggles() async {
        source.say(["feature1": "0", "feature2": "1"])
        let flags = place.store([source])
        await flags.fetchAndActivate()
        var changes = flags.changes.makeAsyncIterator()
        // The same truth in another spelling is no change either.
        source.say(["feature1": "false", "feature2": "0"])
        await flags.fetchAndActivate()
        let change = await changes.next()
        #expect(change == FlagChange(key: "feature2", old: "1", new: "0", layer: .remote))
    }
}
