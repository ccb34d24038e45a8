import Flags
import Testing

/// The article's `Config`: read once, consistent for the run.
private struct Config {
    let maxItemCount: Int
    let greeting: String

    /// From one snapshot, so that no value is of another moment than the rest.
    init(_ flags: FlagStore) {
        let snapshot = flags.snapshot()
        maxItemCount = snapshot[.maximumItemCount]
        greeting = snapshot[.greeting]
    }
}

/// The flows of "Firebase Remote Config and Swift": typed, one consistent set a run, activated before it is read.
@Suite("Seed 004: consistent values for a run")
struct Seed004Tests {
    private let place = AppPlace()
    private let source = FakeSource("firebase")

    /// Each call is a launch of the app.
    private func launch(defaults: Bool = true) -> FlagStore {
        place.store(
            [source], defaults: defaults ? ["maximum_item_count": "42"] : [:], activation: .nextLaunch,
            minimumFetchInterval: .zero)
    }

    @Test(
        "the count is 10 where only the declaration has one, 42 with the app's defaults, and remote's where it has one")
    func count() async {
        #expect(Config(launch(defaults: false)).maxItemCount == 10)
        #expect(Config(launch()).maxItemCount == 42)
        source.say(["maximum_item_count": "7"])
        await launch().fetch()
        #expect(Config(launch()).maxItemCount == 7)
    }

    @Test("a run reads one set: what is fetched meanwhile is for the next launch")
    func nextLaunch() async {
        source.say(["maximum_item_count": "1", "greeting": "one"])
        await launch().fetchAndActivate()
        let run = launch()
        let config = Config(run)
        source.say(["maximum_item_count": "2", "greeting": "two"])
        #expect(await run.fetchAndActivate() == .fetchedFromRemote)
        #expect(run[.maximumItemCount] == 1 && run[.greeting] == "one")
        #expect(config.maxItemCount == 1 && config.greeting == "one")
        let next = Config(launch())
        #expect(next.maxItemCount == 2 && next.greeting == "two")
    }

    @Test("what an earlier run fetched is active before anything is read, without a wait")
    func activatedBeforeTheFirstRead() async {
        source.say(["maximum_item_count": "5"])
        await launch().fetch()
        source.fail(.unreachable)
        #expect(launch()[.maximumItemCount] == 5)
    }

    @Test("an app that activates immediately sees the new set whole")
    func wholeSet() async {
        let flags = place.store([source])
        source.say(["maximum_item_count": "1", "greeting": "one"])
        await flags.fetchAndActivate()
        let before = Config(flags)
        source.say(["maximum_item_count": "2", "greeting": "two"])
        await flags.fetch()
        #expect(Config(flags).maxItemCount == 1)
        await flags.activate()
        #expect(before.greeting == "one" && Config(flags).greeting == "two" && Config(flags).maxItemCount == 2)
    }

    @Test("a minimum interval of an hour asks once an hour, one of zero at each launch")
    func expirationDuration() async {
        for (interval, questions) in [(Duration.seconds(3_600), 1), (.zero, 3)] {
            let (place, source) = (AppPlace(), FakeSource("firebase", ["maximum_item_count": "7"]))
            for _ in 1...3 {
                let flags = place.store([source], activation: .nextLaunch, minimumFetchInterval: interval)
                await flags.fetch()
                place.clock.turn(by: 600)
            }
            #expect(source.questions.count == questions)
        }
    }

    @Test("an unreadable count never stops the app: the default holds")
    func noForcedUnwrapping() async {
        source.say(["maximum_item_count": "a lot"])
        await launch().fetch()
        let flags = launch()
        #expect(flags[.maximumItemCount] == 42)
        #expect(flags.problems.count == 1)
    }
}
