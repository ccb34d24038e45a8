import FlagModel
import FlagRemote
import FlagStorage
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// An open store takes an override that has ended out of what readers see.
@Suite(.timeLimit(.minutes(10))) struct EndTimerTests {
    private let place = AppPlace()

    private func edits(_ life: OverrideLife) -> [OverrideEdit] {
        [.set(key: "greeting", value: "bonjour"), .end(key: "greeting", life)]
    }

    private func set(_ life: OverrideLife) throws { _ = try place.menu.apply(edits(life)) }

    private func timer(of flags: FlagStore) -> FlagTimestamp? { flags.state.withLock { $0.endTimer?.time } }

    /// The wall clock of the place stands still: the time since the boot decides.
    @Test func `a reader sees the value below within a second, and observers get one change`() async throws {
        let flags = place.store()
        // With the time on the observer's own queue: this task may wait for others.
        let changes = Mutex<[(new: String, at: Double)]>([])
        let observation = flags.onChange(of: .greeting) { change in
            changes.withLock { $0.append((change.new, Clock.seconds())) }
        }
        let start = Clock.seconds()
        flags.receive(try place.menu.apply(edits(.lasting(.seconds(1)))))
        #expect(flags[.greeting] == "bonjour")
        await waitUntil("the change is reported") { changes.withLock { $0.count } >= 2 }
        #expect(flags[.greeting] == "hello" && changes.withLock { $0.map(\.new) } == ["bonjour", "hello"])
        let seconds = changes.withLock { $0[1].at } - start
        #expect(seconds >= 0.99 && seconds <= Clock.limit(2), "\(seconds)")
        #expect(timer(of: flags) == nil && flags.activeOverrides.isEmpty)
        #expect(try place.menu.history().count == 1, "a reader writes nothing")
        withExtendedLifetime(observation) {}
    }

    @Test func `the nearest end is waited for, and only while there is one`() async throws {
        let flags = place.store()
        #expect(timer(of: flags) == nil)
        let now = place.clock.now()
        _ = try place.menu.apply([
            .set(key: "a", value: "1"), .end(key: "a", .until(FlagTimestamp(seconds: now.seconds + 7_200))),
            .set(key: "b", value: "1"), .end(key: "b", .until(FlagTimestamp(seconds: now.seconds + 3_600))),
        ])
        await waitUntil("the nearer one is waited for") { timer(of: flags)?.seconds == now.seconds + 3_600 }
        // The app's own writes count, too.
        try await flags.clearOverride("b")
        #expect(timer(of: flags)?.seconds == now.seconds + 7_200)
        try await flags.setOverride("a", to: "1")
        #expect(timer(of: flags) == nil)
    }

    /// The wall clock is set forward: the timer, or the next reading, finds that the override has ended.
    @Test func `a moment ends by the wall clock`() async throws {
        let flags = place.store()
        try set(.until(FlagTimestamp(seconds: place.clock.now().seconds + 3_600)))
        await waitUntil("the override is read") { flags[.greeting] == "bonjour" }
        place.clock.turn(by: 3_599)
        flags.readOverrides()
        #expect(flags[.greeting] == "bonjour")
        place.clock.turn(by: 1)
        flags.readOverrides()
        #expect(flags[.greeting] == "hello" && timer(of: flags) == nil)
    }

    @Test func `an override that ends with a process is gone soon after it, in another process, too`() async throws {
        let running = AppFolders.running(in: place.storeDirectory)
        var app = try ProcessLock(FilePath.join(running, "one" + AppFolders.announcementSuffix))
        try set(.untilRestart)
        let flags = place.store()
        #expect(flags[.greeting] == "bonjour" && app != nil)
        app = nil
        await waitUntil("the override has ended") { flags[.greeting] == "hello" }
        #expect(timer(of: flags) == nil)
    }

    @Test func `a restarted app never sees what has ended`() throws {
        try set(.until(FlagTimestamp(seconds: place.clock.now().seconds + 60)))
        place.clock.turn(by: 60)
        #expect(place.store()[.greeting] == "hello")
    }

    @Test func `reading again without a change is none`() async throws {
        let flags = FlagStore(
            app: "shop", access: .open,
            overrides: OverrideStore(
                directory: place.storeDirectory, author: "ana", now: SourceClock.system.now),
            remote: RemoteEngine(
                sources: [], cache: RemoteCache(folder: nil), policy: RemotePolicy(minimumInterval: .zero)),
            values: LayerValues())
        flags.open()
        flags.receive(try #require(flags.overrides).apply(edits(.lasting(.seconds(3_600)))))
        let count = Mutex(0)
        let observation = flags.observe { change in if !change.layers.isEmpty { count.withLock { $0 += 1 } } }
        for _ in 0..<60 {
            flags.readOverrides()
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(count.withLock { $0 } == 0, "the clocks have different fractions of a second")
        withExtendedLifetime(observation) {}
    }

    @Test func `a store that stops or ends leaves no timer`() async throws {
        weak var timer: EndTimer?
        weak var ended: FlagStore?
        do {
            let flags = place.store()
            try set(.lasting(.seconds(3_600)))
            await waitUntil("the override is read") { flags[.greeting] == "bonjour" }
            flags.state.withLock { timer = $0.endTimer }
            #expect(timer != nil)
            flags.stopUpdates()
            #expect(flags.state.withLock { $0.endTimer == nil })
            flags.readOverrides()
            #expect(flags.state.withLock { $0.endTimer == nil })
            await waitUntil("the timer is released") { timer == nil }
            let other = place.store()
            other.state.withLock { timer = $0.endTimer }
            #expect(timer != nil)
            ended = other
        }
        await waitUntil("the store is released") { ended == nil }
        await waitUntil("its timer is released") { timer == nil }
    }

    /// Seconds until the end as the clocks show it, and the milliseconds to wait.
    @Test(arguments: [(3_600, 3_599_000), (2, 1_000), (1, 200), (0, 200), (-5, 200)])
    func `the last second is looked at several times`(_ seconds: Int64, _ wait: Int) {
        let now = place.clock.now()
        #expect(EndTimer.wait(until: FlagTimestamp(seconds: now.seconds + seconds), now: now) == wait)
    }
}
