#if Configuration
import Configuration
import FlagModel
import FlagStorage
import Synchronization
import TestSupport
import Testing

@testable import Flags
@testable import FlagsConfiguration

/// Watching flags through readers.
@Suite(.timeLimit(.minutes(10)))
struct WatchingTests {
    private let flags = FlagStore.inMemory(["on": "true", "count": "5", "word": "w"])
    private var config: ConfigReader { ConfigReader(provider: FlagsProvider(flags)) }
    /// All observers but the store itself.
    private var watchers: Int { flags.publication.count - 1 }

    @Test func `watchBool reports the value immediately and after an override is set or cleared`() async throws {
        try await config.watchBool(forKey: "on", default: false) { updates in
            var values = updates.makeAsyncIterator()
            #expect(try await values.next() == true)
            try await flags.setOverride("on", to: "no")
            #expect(try await values.next() == false)
            try await flags.clearOverride("on")
            #expect(try await values.next() == true)
        }
        #expect(watchers == 0)
    }

    @Test func `watchInt reports the value immediately and after changes, and nil for a key without a value`()
        async throws
    {
        try await config.watchInt(forKey: "count") { updates in
            var values = updates.makeAsyncIterator()
            #expect(try await values.next() == 5)
            flags.updateRemote(["count": "6"])
            #expect(try await values.next() == 6)
            flags.updateRemote([:])
            let none = try await values.next()
            #expect(none == .some(.none))
        }
    }

    @Test func `with another provider below, setting and clearing an override are both reported`() async throws {
        let config = ConfigReader(providers: [
            FlagsProvider(flags, layers: .overrides), InMemoryProvider(values: ["count": 1]),
        ])
        try await config.watchInt(forKey: "count") { updates in
            var values = updates.makeAsyncIterator()
            #expect(try await values.next() == 1)
            try await flags.setOverride("count", to: "2")
            #expect(try await values.next() == 2)
            try await flags.clearOverride("count")
            #expect(try await values.next() == 1)
        }
    }

    @Test func `a change of a remote value under an override of the wrong type is reported`() async throws {
        try await config.watchBool(forKey: "on") { updates in
            try await flags.setOverride("on", to: "maybe", .unchecked)
            var values = updates.makeAsyncIterator()
            #expect(try await values.next() == true)
            flags.updateRemote(["on": "false"])
            #expect(try await values.next() == false)
        }
    }

    @Test func `a signal without a change of the value is not reported`() async {
        let (updates, signal) = AsyncStream.makeStream(of: Void.self)
        let contents: [ConfigContent?] = [.int(1), .int(1), .int(2), nil, nil, .bool(true), .bool(true), .int(2)]
        let next = Mutex(0)
        for _ in contents { signal.yield() }
        signal.finish()
        let lookups = DistinctLookups(updates: updates) {
            let content = next.withLock { index in
                defer { index += 1 }
                return contents[index]
            }
            return LookupResult(encodedKey: "a", value: content.map { ConfigValue($0, isSecret: false) })
        }
        var seen: [ConfigContent?] = []
        for await lookup in lookups { seen.append((try? lookup.get())?.value?.content) }
        #expect(seen == [.int(1), .int(2), nil, .bool(true), .int(2)])
    }

    @Test func `a slow reader gets only the newest value`() async throws {
        try await config.watchInt(forKey: "count") { updates in
            var values = updates.makeAsyncIterator()
            #expect(try await values.next() == 5)
            for number in 6...1_000 { try await flags.setOverride("count", to: "\(number)") }
            #expect(try await values.next() == 1_000)
            try await flags.setOverride("count", to: "1")
            #expect(try await values.next() == 1)
        }
    }

    @Test func `an override set by another process is reported`() async throws {
        let place = Workplace()
        let flags = FlagStore(
            app: "shop",
            options: .init(
                overrides: .open, launch: [:], announces: false, storeDirectory: place.path, cacheDirectory: place.path)
        )
        let menu = OverrideStore(directory: place.path, author: "ana") { FlagTimestamp(seconds: 1_795_255_200) }
        try await ConfigReader(provider: FlagsProvider(flags, layers: .overrides)).watchInt(forKey: "count") {
            updates in
            var values = updates.makeAsyncIterator()
            let none = try await values.next()
            #expect(none == .some(.none))
            _ = try menu.apply([.set(key: "count", value: "7")])
            #expect(try await values.next() == 7)
        }
    }

    @Test func `watchSnapshot reports immediately and after each change of its layers`() async throws {
        let provider = FlagsProvider(flags, layers: .overrides)
        try await ConfigReader(provider: provider).watchSnapshot { snapshots in
            var values = snapshots.makeAsyncIterator()
            #expect(try await values.next()?.int(forKey: "count", default: 0) == 0)
            try await flags.setOverride("count", to: "7")
            #expect(try await values.next()?.int(forKey: "count") == 7)
        }
        #expect(watchers == 0)
    }

    @Test func `a watch ends with its task`() async throws {
        let (flags, begun) = (flags, AsyncStream.makeStream(of: Void.self))
        let watch = Task {
            try await ConfigReader(provider: FlagsProvider(flags)).watchBool(forKey: "on") { updates in
                for await _ in updates { begun.continuation.yield() }
                return "ended"
            }
        }
        for await _ in begun.stream { break }
        watch.cancel()
        #expect(try await watch.value == "ended")
        #expect(watchers == 0)
    }
}
#endif
