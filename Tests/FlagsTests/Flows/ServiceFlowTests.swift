import Flags
import TestSupport
import Testing

/// The flows of "iOS Feature Flags using Firebase": a service that fetches and activates, a typed read, a property
/// wrapper.
@Suite("Service, typed reads and property wrapper")
struct ServiceFlowTests {
    private let place = AppPlace()
    private let source = FakeSource("firebase", ["AWESOME_FEATURE": "true"])

    @Test func `a feature is turned on, off and on again without a release`() async {
        let flags = place.store([source])
        for result in ["true", "false", "true"] {
            source.respond(["AWESOME_FEATURE": result])
            await flags.fetchAndActivate()
            #expect(flags[.awesomeFeature] == (result == "true"))
        }
    }

    @Test func `fetchAndActivate returns fetchedFromRemote, and the value is active`() async {
        let flags = place.store([source])
        #expect(!flags[.awesomeFeature])
        #expect(await flags.fetchAndActivate() == .fetchedFromRemote)
        #expect(flags[.awesomeFeature])
    }

    @Test func `fetchAndActivate returns usedPreFetched within the minimum interval of 12 hours`() async {
        let flags = place.store([source], minimumFetchInterval: .seconds(12 * 3_600))
        #expect(await flags.fetch() == .fetchedFromRemote)
        #expect(!flags[.awesomeFeature])
        #expect(await flags.fetchAndActivate() == .usedPreFetched)
        #expect(flags[.awesomeFeature] && source.requests.count == 1)
    }

    @Test func `a minimum interval of zero sends a request each time, for development`() async {
        let flags = place.store([source], minimumFetchInterval: .zero)
        for _ in 1...3 { #expect(await flags.fetchAndActivate() == .fetchedFromRemote) }
        #expect(source.requests.count == 3)
    }

    @Test func `a failed fetch reports why, and the app continues with its values`() async {
        source.fail(.unreachable, "connection refused")
        let flags = place.store([source])
        #expect(
            await flags.fetchAndActivate()
                == .failed("firebase: connection refused. There are no cached values; defaults are in use."))
        #expect(!flags[.awesomeFeature])
        #expect(place.log.lines.contains { $0.hasPrefix("warning: firebase: connection refused.") })
    }

    @Test func `start fetches in the background, and values are active when the service responds`() async {
        let gate = Gate()
        let flags = place.store([FakeSource("firebase", ["AWESOME_FEATURE": "true"], gate: gate)])
        var changes = flags.changes(of: .awesomeFeature).makeAsyncIterator()
        let start = Task { await flags.start(waitingAtMost: .seconds(60)) }
        #expect(!flags[.awesomeFeature])
        await gate.open()
        #expect(await changes.next()?.new == true)
        #expect(await start.value == .fetchedFromRemote)
    }

    @Test func `a typed read returns any type that is created from text`() throws {
        let flags = FlagStore.inMemory(["AWESOME_FEATURE": "true", "count": "7", "letter": "x", "ratio": "0.25"])
        let isOn: Bool = try flags.value("AWESOME_FEATURE")
        let count: Int = try flags.value("count")
        let small: UInt8 = try flags.value("count")
        let letter: Character = try flags.value("letter")
        let ratio = try flags.value("ratio", as: Double.self)
        #expect(isOn && count == 7 && small == 7 && letter == "x" && ratio == 0.25)
    }

    @Test func `a typed read of a key without a value throws notFound`() throws {
        let error = try #require(throws: FlagReadError.self) {
            let _: Bool = try FlagStore.inMemory().value("AWESOME_FEATURE")
        }
        #expect(error.code == .notFound && error.key == "AWESOME_FEATURE" && error.text == nil)
    }

    @Test func `a typed read of an invalid text throws notCastable with the text and the type`() throws {
        let flags = FlagStore.inMemory(["AWESOME_FEATURE": "perhaps"])
        let error = try #require(throws: FlagReadError.self) { let _: Int8 = try flags.value("AWESOME_FEATURE") }
        #expect(error.code == .notCastable && error.text == "perhaps" && error.typeName == "Int8")
        let bool = try #require(throws: FlagReadError.self) { let _: Bool = try flags.value("AWESOME_FEATURE") }
        #expect(bool.code == .notCastable && bool.type == .bool)
    }

    @Test func `a property wrapper reads whether a feature is on, now and after each change`() async {
        struct Onboarding {
            @Flag var isAwesomeFeatureEnabled: Bool
            init(_ flags: FlagStore) { _isAwesomeFeatureEnabled = Flag(.awesomeFeature, in: flags) }
        }
        let flags = place.store([source])
        let onboarding = Onboarding(flags)
        #expect(!onboarding.isAwesomeFeatureEnabled)
        await flags.fetchAndActivate()
        #expect(onboarding.isAwesomeFeatureEnabled)
        source.respond(["AWESOME_FEATURE": "perhaps"])
        await flags.fetchAndActivate()
        #expect(!onboarding.isAwesomeFeatureEnabled)
        #expect(place.log.lines.contains { $0.contains(#""perhaps""#) })
    }

    @Test func `the property wrapper reads every type of flag`() throws {
        struct All {
            @Flag var isOn: Bool
            @Flag var count: Int
            @Flag var ratio: Double
            @Flag var greeting: String
            @Flag var theme: Theme
        }
        let flags = FlagStore.inMemory()
        let all = All(
            isOn: Flag(.multipleLocations, in: flags), count: Flag(.maximumItemCount, in: flags),
            ratio: Flag(.ratio, in: flags), greeting: Flag(.greeting, in: flags), theme: Flag(.theme, in: flags))
        for _ in 1...2 {
            #expect(!all.isOn && all.count == 10 && all.ratio == 0.5 && all.greeting == "hello" && all.theme == .plain)
        }
        flags.updateRemote([
            "enable_multiple_locations": "on", "maximum_item_count": "-1", "ratio": "-0.0", "greeting": "",
            "theme": "festive",
        ])
        for _ in 1...2 {
            #expect(
                all.isOn && all.count == -1 && all.ratio.sign == .minus && all.greeting == "" && all.theme == .festive)
        }
    }
}
