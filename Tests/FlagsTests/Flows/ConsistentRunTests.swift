import Flags
import Testing

/// The article's `Config`: read once, consistent for the run.
private struct Config {
    let maxItemCount: Int
    let greeting: String

    /// Reads one snapshot, so that all values are of the same moment.
    init(_ flags: FlagStore) {
        let snapshot = flags.snapshot()
        maxItemCount = snapshot[.maximumItemCount]
        greeting = snapshot[.greeting]
    }
}

/// The flows of the article "Firebase Remote Config and Swift": typed values, one consistent set of values in each run,
/// activated before any value is read.
@Suite("Consistent values for one run")
struct ConsistentRunTests {
    private let place = AppPlace()
    private let source = FakeSource("firebase")

    /// Each call is a launch of the app.
    private func launch(defaults: Bool = true) -> FlagStore {
        place.store(
            [source], defaults: defaults ? ["maximum_item_count": "42"] : [:], activation: .nextLaunch,
            minimumFetchInterval: .zero)
    }

    @Test func `remote wins over the app's defaults, which win over the declared default`() async {
        #expect(Config(launch(defaults: false)).maxItemCount == 10)
        #expect(Config(launch()).maxItemCount == 42)
        source.respond(["maximum_item_count": "7"])
        await launch().fetch()
        #expect(Config(launch()).maxItemCount == 7)
    }

    @Test func `a run reads one set of values; newly fetched values are for the next launch`() async {
        source.respond(["maximum_item_count": "1", "greeting": "one"])
        await launch().fetchAndActivate()
        let run = launch()
        let config = Config(run)
        source.respond(["maximum_item_count": "2", "greeting": "two"])
        #expect(await run.fetchAndActivate() == .fetchedFromRemote)
        #expect(run[.maximumItemCount] == 1 && run[.greeting] == "one")
        #expect(config.maxItemCount == 1 && config.greeting == "one")
        let next = Config(launch())
        #expect(next.maxItemCount == 2 && next.greeting == "two")
    }

    @Test func `values fetched by an earlier run are active before the first read, without waiting`() async {
        source.respond(["maximum_item_count": "5"])
        await launch().fetch()
        source.fail(.unreachable)
        #expect(launch()[.maximumItemCount] == 5)
    }

    @Test func `activation replaces all values together`() async {
        let flags = place.store([source])
        source.respond(["maximum_item_count": "1", "greeting": "one"])
        await flags.fetchAndActivate()
        let before = Config(flags)
        source.respond(["maximum_item_count": "2", "greeting": "two"])
        await flags.fetch()
        #expect(Config(flags).maxItemCount == 1)
        await flags.activate()
        #expect(before.greeting == "one" && Config(flags).greeting == "two" && Config(flags).maxItemCount == 2)
    }

    @Test func `a minimum interval of an hour sends one request an hour, zero sends one at each launch`() async {
        for (interval, requests) in [(Duration.seconds(3_600), 1), (.zero, 3)] {
            let (place, source) = (AppPlace(), FakeSource("firebase", ["maximum_item_count": "7"]))
            for _ in 1...3 {
                let flags = place.store([source], activation: .nextLaunch, minimumFetchInterval: interval)
                await flags.fetch()
                place.clock.turn(by: 600)
            }
            #expect(source.requests.count == requests)
        }
    }

    @Test func `an invalid count does not crash the app; the default is used`() async {
        source.respond(["maximum_item_count": "a lot"])
        await launch().fetch()
        let flags = launch()
        #expect(flags[.maximumItemCount] == 42)
        #expect(flags.issues.count == 1)
    }
}
