import FlagModel
import Synchronization
import TestSupport
import Testing

@testable import Flags

/// Observing flags.
@Suite(.timeLimit(.minutes(10)))
struct ObservationTests {
    @Test func `an override set by a menu is reported with typed values and its layer`() async throws {
        let place = AppPlace()
        let flags = place.store()
        var changes = flags.changes(of: .multipleLocations).makeAsyncIterator()
        _ = try place.menu.apply([.set(key: "enable_multiple_locations", value: "true")])
        let change = await changes.next()
        #expect(change == FlagChange(key: "enable_multiple_locations", old: false, new: true, layer: .override))
        #expect(flags[.multipleLocations])
        _ = try place.menu.apply([.clear(key: "enable_multiple_locations")])
        let clearing = await changes.next()
        #expect(clearing == FlagChange(key: "enable_multiple_locations", old: true, new: false, layer: .default))
    }

    @Test func `a slow reader gets the newest change of each flag, and none that was reverted`() async throws {
        let flags = FlagStore.inMemory(["other": "a"])
        var changes = flags.changes.makeAsyncIterator()
        // Declared only here: the first declaration of a key in the process decides how its texts are read.
        let count = FlagKey("slow_reader_count", default: 10)
        for number in 1...1_000 { try await flags.setOverride(count, to: number) }
        try await flags.setOverride("other", to: "b")
        try await flags.setOverride("there_and_back", to: "x")
        try await flags.clearOverride("there_and_back")
        let first = await changes.next()
        #expect(first == FlagChange(key: "slow_reader_count", old: "10", new: "1000", layer: .override))
        let second = await changes.next()
        #expect(second == FlagChange(key: "other", old: "a", new: "b", layer: .override))
        try await flags.setOverride("last", to: "x")
        #expect(await changes.next()?.key == "last")
    }

    @Test func `two keys with one name and different defaults each report their own values`() async throws {
        let (one, two) = (FlagKey("shared_key", default: 1), FlagKey("shared_key", default: 2))
        let flags = FlagStore.inMemory()
        var (ones, twos) = (
            flags.changes(of: one).makeAsyncIterator(), flags.changes(of: two).makeAsyncIterator()
        )
        try await flags.setOverride(one, to: 2)
        try await flags.setOverride(one, to: 3)
        #expect(await ones.next() == FlagChange(key: "shared_key", old: 1, new: 3, layer: .override))
        #expect(await twos.next() == FlagChange(key: "shared_key", old: 2, new: 3, layer: .override))
        try await flags.setOverride(one, to: 1)
        try await flags.clearOverride(one)
        #expect(await twos.next() == FlagChange(key: "shared_key", old: 3, new: 2, layer: .default))
    }

    @Test func `a new type of an undeclared key is reported as a change if it makes the override valid`() async throws {
        func catalog(_ type: String) -> FlagTable<String> {
            [
                "kind": "true",
                "config_categories":
                    #"[{"category": "Shop", "items": [{"key": "kind", "value": "\#(type)"}]}]"#,
            ]
        }
        let flags = FlagStore.inMemory()
        flags.updateRemote(catalog("true|false"))
        try await flags.setOverride("kind", to: "maybe", .unchecked)
        #expect(flags.explain("kind").winner == .remote)
        var changes = flags.changes(of: "kind").makeAsyncIterator()
        flags.updateRemote(catalog("true|maybe"))
        #expect(flags.explain("kind").winner == .override)
        #expect(await changes.next()?.new == "maybe")
    }

    @Test func `snapshots have the keys that changed since the last one, also before the first is read`() async throws {
        let flags = FlagStore.inMemory()
        let snapshots = flags.snapshots
        flags.updateRemote(["snapshot_one": "1"])
        try await flags.setOverride("snapshot_two", to: "2")
        var changes = snapshots.makeAsyncIterator()
        let first = try #require(await changes.next(isolation: #isolation))
        #expect(first.changedKeys == ["snapshot_one", "snapshot_two"])
        #expect(try first.snapshot.string("snapshot_one") == "1")
        try await flags.setOverride("snapshot_two", to: "3")
        #expect(await changes.next(isolation: #isolation)?.changedKeys == ["snapshot_two"])
    }

    @Test func `an override that changes no value still sends an override update`() async throws {
        let place = AppPlace()
        let flags = place.store()
        var updates = flags.overrideUpdates.makeAsyncIterator()
        #expect(await updates.next() == [:])
        _ = try place.menu.apply([.set(key: "enable_multiple_locations", value: "false")])
        #expect(await updates.next()?["enable_multiple_locations"]?.value == "false")
        #expect(flags.overrideBanner == "1 override: enable_multiple_locations")
        try await flags.clearOverrides()
        #expect(await updates.next() == [:])
    }

    @Test func `a flag has its new value before an observer is notified`() async throws {
        let flags = FlagStore.inMemory()
        _ = flags[.maximumItemCount]
        let seen = Mutex<[Int]>([])
        // A handler of changes is called later on another thread, so it would see the new value anyway.
        let observation = flags.observe { _ in seen.withLock { $0.append(flags[.maximumItemCount]) } }
        try await flags.setOverride(.maximumItemCount, to: 11)
        #expect(seen.withLock { $0 } == [11])
        observation.cancel()
    }

    @Test(arguments: [true, false])
    func `a handler is called until its observation is cancelled or released`(isCancelled: Bool) async throws {
        let flags = FlagStore.inMemory()
        let count = Mutex(0)
        var observation: FlagObservation? = flags.onChange { _ in count.withLock { $0 += 1 } }
        try await flags.setOverride("a", to: "1")
        #expect(Clock.wait(atMost: 5) { count.withLock { $0 } == 1 })
        withExtendedLifetime(observation) {}
        if isCancelled { observation?.cancel() } else { observation = nil }
        try await flags.setOverride("a", to: "2")
        // The first handler would have been called before this one.
        let secondCount = Mutex(0)
        let second = flags.onChange { _ in secondCount.withLock { $0 += 1 } }
        try await flags.setOverride("a", to: "3")
        #expect(Clock.wait(atMost: 5) { secondCount.withLock { $0 } == 1 })
        withExtendedLifetime((observation, second)) {}
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `a released store ends its sequences`() async throws {
        var flags: FlagStore? = .inMemory()
        let changes = try #require(flags?.changes)
        weak let released = flags
        flags = nil
        #expect(released == nil)
        await expectEnd(of: "the sequence") { for await _ in changes {} }
    }

    @Test func `a reader that leaves its loop stops`() async {
        let flags = FlagStore.inMemory()
        for await _ in flags.overrideUpdates { break }
        await waitUntil("only the store observes itself") { flags.publication.count == 1 }
    }

    @Test func `a cancelled reader stops`() async {
        let flags = FlagStore.inMemory()
        let reader = Task { for await _ in flags.changes {} }
        await waitUntil("the reader observes the store") { flags.publication.count == 2 }
        reader.cancel()
        await expectEnd(of: "the reader") { await reader.value }
        await waitUntil("only the store observes itself") { flags.publication.count == 1 }
    }
}
