#if Server
import FlagModel
import Synchronization
import TestSupport
import Testing

@testable import FlagServer

/// Server: announcements.
struct ServedChangesTests {
    @Test(.timeLimit(.minutes(10)))
    func `a slow reader is woken once for all changes`() async throws {
        let feed = ServedChanges(limit: 2)
        let signals = try #require(feed.subscribe())
        for _ in 1...1_000 { feed.wakeAll() }
        let reader = Task {
            var wakes = 0
            for await _ in signals { wakes += 1 }
            return wakes
        }
        reader.cancel()
        #expect(await reader.value == 1 && feed.count == 0)
    }

    @Test func `more streams than the limit are refused until one ends`() throws {
        let feed = ServedChanges(limit: 1)
        var reader = feed.subscribe()
        #expect(reader != nil && feed.subscribe() == nil)
        reader = nil
        #expect(feed.subscribe() != nil && feed.count == 0, "a stream that never begins takes no place")
    }

    @Test(.timeLimit(.minutes(10)))
    func `all streams end with the server`() async throws {
        let feed = ServedChanges(limit: 2)
        let signals = try [#require(feed.subscribe()), #require(feed.subscribe())]
        feed.endAll()
        for stream in signals { for await _ in stream { Issue.record("a signal after the end") } }
        #expect(feed.count == 0)
    }

    @Test func `only the most recent clients are remembered`() {
        let time = Atomic<Int64>(0)
        let log = ClientLog { time.add(1, ordering: .relaxed).newValue }
        for number in 0..<ClientLog.limit + 5 { log.record("client \(number)", key: "k", value: "v", layer: .remote) }
        let entries = log.entries
        #expect(entries.count == ClientLog.limit)
        #expect(
            entries.first?.client?.string == "client \(ClientLog.limit + 4)"
                && entries.last?.client?.string == "client 5")
    }

    @Test func `a value counts since the client first got it, and until it evaluates all flags`() {
        let time = Atomic<Int64>(0)
        let log = ClientLog { time.add(1, ordering: .relaxed).newValue }
        func get(_ value: String, _ layer: FlagLayer = .override) -> [Int64?]? {
            log.record("ana", key: "k", value: value, layer: layer)
            return log.entries.first?.entry.flags["k"].map { [$0.since, $0.readAt] }
        }
        #expect(get("true") == [1, 1] && get("true") == [1, 2])
        #expect(get("false") == [3, 3] && get("false", .remote) == [4, 4] && get("false", .remote) == [4, 5])
        log.record("ana", key: nil, value: nil, layer: nil)
        #expect(log.entries.first?.entry.flags.isEmpty == true && log.entries.first?.entry.allAt == 6)
        #expect(get("false", .remote) == [7, 7])
    }
}
#endif
