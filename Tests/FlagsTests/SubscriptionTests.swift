import FlagModel
import FlagRemote
import Synchronization
import TestSupport
import Testing

@testable import Flags

@Suite("Live updates of sources")
struct SubscriptionTests {
    private let place = AppPlace()

    @Test func `a live update is used immediately, even within the minimum interval`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let source = FakeSource("fake", ["greeting": "one"], changes: liveUpdates)
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        let subscription = Task { await flags.followRemote() }
        source.respond(["greeting": "two"])
        service.yield(.connected)
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "two" }
        #expect(source.requests.count == 2)
        subscription.cancel()
        await subscription.value
    }

    @Test func `a subscription continues when another one ends`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let source = FakeSource("fake", ["greeting": "one"], changes: liveUpdates)
        let flags = place.store([source])
        let (first, second) = (Task { await flags.followRemote() }, Task { await flags.followRemote() })
        service.yield(.changed)
        await until("the first value is read") { flags[.greeting] == "one" }
        first.cancel()
        await first.value
        source.respond(["greeting": "two"])
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "two" }
        second.cancel()
        await second.value
    }

    @Test func `a store can be released while it handles a response`() async {
        let remote: RemoteEngine
        let observation: FlagObservation
        do {
            let flags = place.store([FakeSource("fake", ["greeting": "one"])])
            remote = flags.remote
            let retained = Mutex<FlagStore?>(flags)
            observation = flags.observe { _ in retained.withLock { $0 = nil } }
        }
        _ = await remote.fetch(.all, isActivating: true)
        #expect(remote.current.hasValues)
        withExtendedLifetime(observation) {}
    }

    @Test func `a late report of a save does not replace newer overrides of another process`() throws {
        let flags = place.store()
        let late = try place.menu.apply([.set(key: "greeting", value: "one")], label: "set")
        _ = try place.menu.apply([.set(key: "greeting", value: "two")], label: "set")
        flags.readOverrides()
        flags.receive(late)
        #expect(flags[.greeting] == "two")
    }

    @Test func `a late report of a save does not hide that the file was damaged since`() throws {
        let flags = place.store()
        let late = try place.menu.apply([.set(key: "greeting", value: "one")], label: "set")
        try place.write("damaged", to: "state/overrides.json")
        flags.readOverrides()
        flags.receive(late)
        #expect(flags.issues.contains { $0.contains("line 1, column 1") }, "\(flags.issues)")
        #expect(flags[.greeting] == "one")
    }

    @Test func `a live update of one source sends no request to the others`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let (reporting, otherSource) = (FakeSource("telling", changes: liveUpdates), FakeSource("other"))
        let flags = place.store([otherSource, reporting])
        let subscription = Task { await flags.followRemote() }
        reporting.respond(["greeting": "reported"])
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "reported" }
        #expect(otherSource.requests.isEmpty)
        subscription.cancel()
        await subscription.value
    }

    @Test func `a fetch during the request for a live update still requests every source`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let gate = Gate()
        let (reporting, otherSource) = (
            FakeSource("telling", gate: gate, changes: liveUpdates), FakeSource("other", ["greeting": "hi"])
        )
        let flags = place.store([otherSource, reporting])
        let subscription = Task { await flags.followRemote() }
        service.yield(.changed)
        await until("the change is requested") { reporting.requests.count == 1 }
        let fetch = Task { await flags.fetchAndActivate(minimumInterval: .zero) }
        await gate.open()
        #expect(await fetch.value == .fetchedFromRemote)
        #expect(otherSource.requests.count == 1 && flags[.greeting] == "hi")
        subscription.cancel()
        await subscription.value
    }

    @Test func `a change reported while rate limited is fetched when the wait is over`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let source = FakeSource("fake", changes: liveUpdates)
        let flags = place.store([source])
        source.fail(.rateLimited, "too many requests", retryAfter: .seconds(90))
        _ = await flags.fetch()
        source.respond(["greeting": "late"])
        let (start, subscription) = (place.clock.now(), Task { await flags.followRemote() })
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "late" }
        #expect(place.clock.now().seconds - start.seconds == 90)
        #expect(source.requests.count == 2)
        subscription.cancel()
        await subscription.value
    }

    @Test func `pushed values are used immediately while rate limited, and the rate limit stays`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let source = FakeSource("fake", ["greeting": "requested"], changes: liveUpdates)
        let flags = place.store([source])
        source.fail(.rateLimited, "too many requests", retryAfter: .seconds(3_600))
        _ = await flags.fetch()
        let (start, subscription) = (place.clock.now(), Task { await flags.followRemote() })
        source.push(["greeting": "reported"])
        service.yield(.changed)
        await until("the change is read") { flags[.greeting] == "reported" }
        #expect(place.clock.now() == start && source.requests.count == 1)
        #expect(await flags.fetch() == .rateLimited(seconds: 3_600))
        #expect(place.store([source])[.greeting] == "reported", "the update is cached")
        #expect(await place.store([source]).fetch() == .rateLimited(seconds: 3_600), "the rate limit is cached too")
        subscription.cancel()
        await subscription.value
    }

    @Test func `a source with a poll interval is polled, less often while it fails`() async {
        let source = FakeSource("fake", ["greeting": "one"], pollInterval: .seconds(30))
        let flags = place.store([source])
        let subscription = Task { await flags.followRemote() }
        await until("three requests") { source.requests.count >= 3 }
        #expect(flags[.greeting] == "one")
        source.fail(.unreachable)
        let (start, before) = (place.clock.now().seconds, source.requests.count)
        await until("a day is over") { place.clock.now().seconds - start > 86_400 }
        subscription.cancel()
        await subscription.value
        // 30 seconds, doubled after each failure up to four hours.
        let count = source.requests.count - before
        let fetched = (place.clock.now().seconds - start) / 30
        #expect(count < fetched / 2, "\(count) requests")
        #expect(flags[.greeting] == "one")
    }

    @Test func `with nextLaunch activation, a live update is used at the next launch`() async {
        let (liveUpdates, service) = AsyncStream.makeStream(of: LiveUpdateEvent.self)
        let source = FakeSource("fake", ["greeting": "one"], changes: liveUpdates)
        let flags = place.store([source], activation: .nextLaunch)
        let subscription = Task { await flags.followRemote() }
        service.yield(.changed)
        await until("it is fetched") { if case .loaded = flags.remoteStatus { true } else { false } }
        #expect(flags[.greeting] == "hello")
        subscription.cancel()
        await subscription.value
        #expect(place.store([source], activation: .nextLaunch)[.greeting] == "one")
    }

    @Test(.timeLimit(.minutes(10)))
    func `following ends immediately if no source has live updates`() async {
        await place.store([FakeSource()]).followRemote()
        await place.store().followRemote()
    }

    /// Waits until a condition is true.
    private func until(_ what: String, _ condition: () -> Bool) async {
        for _ in 0..<60_000 where !condition() { try? await Task.sleep(for: .milliseconds(1)) }
        #expect(condition(), "\(what)")
    }
}
