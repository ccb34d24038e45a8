import FlagRemote
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// Live updates of sources.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionTests {
    private let place = AppPlace()
    private let events = AsyncStream.makeStream(of: LiveUpdateEvent.self)

    /// Follows a store until a test is done.
    private func following(_ flags: FlagStore, _ test: () async -> Void) async {
        let subscription = Task { await flags.followRemote() }
        await test()
        subscription.cancel()
        await expectEnd(of: "the subscription") { await subscription.value }
    }

    @Test func `a live update is used immediately, even within the minimum interval`() async {
        let source = MemorySource("fake", ["greeting": "one"], liveUpdates: events.stream)
        let flags = place.store([source], minimumFetchInterval: .seconds(3_600))
        await flags.fetchAndActivate()
        await following(flags) {
            source.respond(["greeting": "two"])
            events.continuation.yield(.connected)
            events.continuation.yield(.changed)
            await waitUntil("the change is read") { flags[.greeting] == "two" }
            #expect(source.versions.count == 2)
        }
    }

    /// Also by a build without overrides, as those of servers are, and after a subscription has ended.
    @Test(arguments: [OverrideAccess.open, .closed])
    func `a file is followed without a call`(access: OverrideAccess) async throws {
        let file = try place.write(#"{"greeting": "one"}"#, to: "remote.json")
        func store(_ cache: String, isFollowed: Bool = true, _ activation: Activation = .immediately) -> FlagStore {
            FlagStore(
                app: "shop", sources: [RemoteFile(file, isFollowed: isFollowed)],
                options: .init(
                    overrides: access, launch: [:], announces: false, activation: activation,
                    storeDirectory: place.storeDirectory, cacheDirectory: "\(place.cacheDirectory)/\(cache)",
                    logger: place.log.logger))
        }
        let (flags, unfollowed) = (store("a"), store("b", isFollowed: false))
        let nextLaunch = store("c", .nextLaunch)
        for value in ["two", "three"] {
            try place.write(#"{"greeting": "\#(value)"}"#, to: "remote.json")
            await waitUntil("\(value) is read") { flags[.greeting] == value }
            await following(flags) {}
        }
        await waitUntil("the last value waits") { nextLaunch.remote.current.sources[0].fetched != nil }
        #expect(nextLaunch[.greeting] == "one" && unfollowed[.greeting] == "one")
    }

    @Test func `a subscription continues when another one ends`() async {
        let source = MemorySource("fake", ["greeting": "one"], liveUpdates: events.stream)
        let flags = place.store([source])
        let (first, second) = (Task { await flags.followRemote() }, Task { await flags.followRemote() })
        events.continuation.yield(.changed)
        await waitUntil("the first value is read") { flags[.greeting] == "one" }
        first.cancel()
        await expectEnd(of: "the first subscription") { await first.value }
        source.respond(["greeting": "two"])
        events.continuation.yield(.changed)
        await waitUntil("the change is read") { flags[.greeting] == "two" }
        second.cancel()
        await expectEnd(of: "the second subscription") { await second.value }
    }

    @Test func `a store can be released while it handles a response`() async {
        let remote: RemoteEngine
        let observation: FlagObservation
        weak var released: FlagStore?
        do {
            let flags = place.store([MemorySource("fake", ["greeting": "one"])])
            released = flags
            remote = flags.remote
            let retained = Mutex<FlagStore?>(flags)
            observation = flags.observe { _ in retained.withLock { $0 = nil } }
        }
        _ = await remote.fetch(.all, isActivating: true)
        #expect(remote.current.hasValues)
        await waitUntil("the store is released") { released == nil }
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
        let (reporting, otherSource) = (MemorySource("telling", liveUpdates: events.stream), MemorySource("other"))
        let flags = place.store([otherSource, reporting])
        await following(flags) {
            reporting.respond(["greeting": "reported"])
            events.continuation.yield(.changed)
            await waitUntil("the change is read") { flags[.greeting] == "reported" }
            #expect(otherSource.versions.isEmpty)
        }
    }

    @Test func `a fetch during the request for a live update still requests every source`() async {
        let gate = Gate()
        let (reporting, otherSource) = (
            MemorySource("telling", gate: gate, liveUpdates: events.stream), MemorySource("other", ["greeting": "hi"])
        )
        let flags = place.store([otherSource, reporting])
        await following(flags) {
            events.continuation.yield(.changed)
            await waitUntil("the change is requested") { reporting.versions.count == 1 }
            let fetch = Task { await flags.fetchAndActivate(minimumInterval: .zero) }
            await gate.open()
            #expect(await fetch.value == .fetchedFromRemote)
            #expect(otherSource.versions.count == 1 && flags[.greeting] == "hi")
        }
    }

    @Test func `a change reported while rate limited is fetched when the wait is over`() async {
        let source = MemorySource("fake", liveUpdates: events.stream)
        let flags = place.store([source])
        source.fail(.rateLimited, "too many requests", retryAfter: .seconds(90))
        _ = await flags.fetch()
        source.respond(["greeting": "late"])
        let start = place.clock.now()
        await following(flags) {
            events.continuation.yield(.changed)
            await waitUntil("the change is read") { flags[.greeting] == "late" }
            #expect(place.clock.now().seconds - start.seconds == 90)
            #expect(source.versions.count == 2)
        }
    }

    @Test func `pushed values are used immediately while rate limited, and the rate limit stays`() async {
        let source = MemorySource("fake", ["greeting": "requested"], liveUpdates: events.stream)
        let flags = place.store([source])
        source.fail(.rateLimited, "too many requests", retryAfter: .seconds(3_600))
        _ = await flags.fetch()
        let start = place.clock.now()
        await following(flags) {
            source.report(["greeting": "reported"])
            events.continuation.yield(.changed)
            await waitUntil("the change is read") { flags[.greeting] == "reported" }
            #expect(place.clock.now() == start && source.versions.count == 1)
            #expect(await flags.fetch() == .rateLimited(seconds: 3_600))
            #expect(place.store([source])[.greeting] == "reported", "the update is cached")
            #expect(await place.store([source]).fetch() == .rateLimited(seconds: 3_600), "the rate limit is cached too")
        }
    }

    @Test func `a source with a poll interval is polled, less often while it fails`() async {
        let source = MemorySource("fake", ["greeting": "one"], pollInterval: .seconds(30))
        let flags = place.store([source])
        var (start, before) = (Int64(0), 0)
        await following(flags) {
            await waitUntil("three requests are sent") { source.versions.count >= 3 }
            #expect(flags[.greeting] == "one")
            source.fail(.unreachable)
            (start, before) = (place.clock.now().seconds, source.versions.count)
            await waitUntil("a day is over") { place.clock.now().seconds - start > 86_400 }
        }
        let count = source.versions.count - before
        // 30 seconds, doubled after each failure: ten requests until the wait is four hours.
        let limit = Int((place.clock.now().seconds - start) / 14_400) + 12
        #expect(count <= limit, "\(count) requests, at most \(limit) were expected")
        #expect(flags[.greeting] == "one")
    }

    @Test func `with nextLaunch activation, a live update is used at the next launch`() async {
        let source = MemorySource("fake", ["greeting": "one"], liveUpdates: events.stream)
        let flags = place.store([source], activation: .nextLaunch)
        await following(flags) {
            events.continuation.yield(.changed)
            await waitUntil("it is fetched") { if case .loaded = flags.remoteStatus { true } else { false } }
            #expect(flags[.greeting] == "hello")
        }
        #expect(place.store([source], activation: .nextLaunch)[.greeting] == "one")
    }

    @Test func `following ends immediately if no source has live updates`() async {
        for flags in [place.store([MemorySource("fake")]), place.store()] {
            await expectEnd(of: "following") { await flags.followRemote() }
        }
    }
}
