import FlagModel
import FlagRemote
import Synchronization
import TestSupport
import Testing

@testable import Flags

@Suite("Following sources")
struct FollowingTests {
    private let place = AppPlace()

    @Test("what a service tells of is in use at once, however new the last answer is")
    func changes() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let source = FakeSource("fake", ["greeting": "one"], changes: hints)
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        let following = Task { await flags.followRemote() }
        source.say(["greeting": "two"])
        service.yield(.connected)
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "two" }
        #expect(source.questions.count == 2)
        following.cancel()
        await following.value
    }

    @Test("whoever follows goes on doing so when another task that follows ends")
    func twoFollowers() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let source = FakeSource("fake", ["greeting": "one"], changes: hints)
        let flags = place.store([source])
        let (first, second) = (Task { await flags.followRemote() }, Task { await flags.followRemote() })
        service.yield(.changed)
        await until("the first value is read") { flags[.greeting] == "one" }
        first.cancel()
        await first.value
        source.say(["greeting": "two"])
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "two" }
        second.cancel()
        await second.value
    }

    @Test("a store that is dropped while it hears of a response goes without holding anybody up")
    func droppedWhileTold() async {
        let remote: RemoteEngine
        do {
            let flags = place.store([FakeSource("fake", ["greeting": "one"])])
            remote = flags.remote
            let kept = Mutex<FlagStore?>(flags)
            _ = flags.observeRemote { _ in kept.withLock { $0 = nil } }
        }
        _ = await remote.fetch(.all, isActivating: true)
        #expect(remote.current.hasValues)
    }

    @Test("a save that is told late does not put older overrides in place of what another process has written since")
    func lateCommit() throws {
        let flags = place.store()
        let late = try place.menu.apply([.set(key: "greeting", value: "one")], label: "set")
        _ = try place.menu.apply([.set(key: "greeting", value: "two")], label: "set")
        flags.readOverrides()
        flags.take(late)
        #expect(flags[.greeting] == "two")
    }

    @Test("a save that is told late does not hide that the file was damaged since")
    func lateCommitOfDamagedFile() throws {
        let flags = place.store()
        let late = try place.menu.apply([.set(key: "greeting", value: "one")], label: "set")
        try place.write("damaged", to: "state/overrides.json")
        flags.readOverrides()
        flags.take(late)
        #expect(flags.problems.contains { $0.contains("line 1, column 1") }, "\(flags.problems)")
        #expect(flags[.greeting] == "one")
    }

    @Test("one source is asked for its own change, the others are not")
    func otherSources() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let (telling, other) = (FakeSource("telling", changes: hints), FakeSource("other"))
        let flags = place.store([other, telling])
        let following = Task { await flags.followRemote() }
        telling.say(["greeting": "told"])
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "told" }
        #expect(other.questions.isEmpty)
        following.cancel()
        await following.value
    }

    @Test("who fetches while one source is asked for its own change has all of them asked")
    func joining() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let gate = Gate()
        let (telling, other) = (
            FakeSource("telling", gate: gate, changes: hints), FakeSource("other", ["greeting": "hi"])
        )
        let flags = place.store([other, telling])
        let following = Task { await flags.followRemote() }
        service.yield(.changed)
        await until("the change is asked for") { telling.questions.count == 1 }
        let fetch = Task { await flags.fetchAndActivate(minimumInterval: .zero) }
        await gate.open()
        #expect(await fetch.value == .fetchedFromRemote)
        #expect(other.questions.count == 1 && flags[.greeting] == "hi")
        following.cancel()
        await following.value
    }

    @Test("a change that is told while the service wants to be left alone is fetched when that is over")
    func throttled() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let source = FakeSource("fake", changes: hints)
        let flags = place.store([source])
        source.fail(.throttled, "too many requests", retryAfter: .seconds(90))
        _ = await flags.fetch()
        source.say(["greeting": "late"])
        let (start, following) = (place.clock.now(), Task { await flags.followRemote() })
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "late" }
        #expect(place.clock.now().seconds - start.seconds == 90)
        #expect(source.questions.count == 2)
        following.cancel()
        await following.value
    }

    @Test("what a service tells in full is in use at once while it wants to be left alone, which goes on")
    func toldWhileThrottled() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let source = FakeSource("fake", ["greeting": "asked"], changes: hints)
        let flags = place.store([source])
        source.fail(.throttled, "too many requests", retryAfter: .seconds(3_600))
        _ = await flags.fetch()
        let (start, following) = (place.clock.now(), Task { await flags.followRemote() })
        source.tell(["greeting": "told"])
        service.yield(.changed)
        await until("the news are read") { flags[.greeting] == "told" }
        #expect(place.clock.now() == start && source.questions.count == 1)
        #expect(await flags.fetch() == .throttled(seconds: 3_600))
        #expect(place.store([source])[.greeting] == "told", "they are kept")
        #expect(await place.store([source]).fetch() == .throttled(seconds: 3_600), "and so is the wait")
        following.cancel()
        await following.value
    }

    @Test("a source that wants to be asked regularly is, and less often while it fails")
    func polling() async {
        let source = FakeSource("fake", ["greeting": "one"], pollInterval: .seconds(30))
        let flags = place.store([source])
        let following = Task { await flags.followRemote() }
        await until("it is asked three times") { source.questions.count >= 3 }
        #expect(flags[.greeting] == "one")
        source.fail(.unreachable)
        let (start, before) = (place.clock.now().seconds, source.questions.count)
        await until("a day is over") { place.clock.now().seconds - start > 86_400 }
        following.cancel()
        await following.value
        // 30 seconds, then twice as much after each failure up to four hours.
        let count = source.questions.count - before
        let answered = (place.clock.now().seconds - start) / 30
        #expect(count < answered / 2, "asked \(count) times")
        #expect(flags[.greeting] == "one")
    }

    @Test("what is fetched waits for the next launch where the app wants one set a run")
    func nextLaunch() async {
        let (hints, service) = AsyncStream.makeStream(of: SourceHint.self)
        let source = FakeSource("fake", ["greeting": "one"], changes: hints)
        let flags = place.store([source], activation: .nextLaunch)
        let following = Task { await flags.followRemote() }
        service.yield(.changed)
        await until("it is fetched") { if case .loaded = flags.remoteStatus { true } else { false } }
        #expect(flags[.greeting] == "hello")
        following.cancel()
        await following.value
        #expect(place.store([source], activation: .nextLaunch)[.greeting] == "one")
    }

    @Test("where nothing changes by itself there is nothing to follow", .timeLimit(.minutes(10)))
    func nothing() async {
        await place.store([FakeSource()]).followRemote()
        await place.store().followRemote()
    }

    /// Waits for a condition that others bring about.
    private func until(_ what: String, _ holds: () -> Bool) async {
        for _ in 0..<60_000 where !holds() { try? await Task.sleep(for: .milliseconds(1)) }
        #expect(holds(), "\(what)")
    }
}
