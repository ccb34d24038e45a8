import Dispatch
import Flags
import Observation
import Synchronization
import TestSupport
import Testing

/// Flags that views and models observe with Swift's Observation.
@Suite(.mayBlock) struct ObservableFlagsTests {
    private let store = FlagStore.inMemory(["greeting": "hi"])
    private var flags: ObservableFlags { ObservableFlags(store) }

    /// Counts notifications of one observer.
    private final class Redraws: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }

        func observe<Value>(_ read: () -> Value) -> Value {
            withObservationTracking(read) { [self] in count.withLock { $0 += 1 } }
        }

        func wait(for count: Int) -> Bool { Clock.wait(atMost: 30) { value >= count } }
    }

    @Test func `a change of a flag notifies its observers once, and those of other flags not at all`() async throws {
        let (first, other) = (Redraws(), Redraws())
        #expect(first.observe { flags[.maximumItemCount] } == 10)
        #expect(other.observe { flags[.multipleLocations] } == false)
        try await store.setOverride(.maximumItemCount, to: 11)
        #expect(first.wait(for: 1))
        #expect(first.observe { flags[.maximumItemCount] } == 11)
        try await store.setOverride(.maximumItemCount, to: 12)
        #expect(first.wait(for: 2))
        try await store.setOverride(.multipleLocations, to: true)
        #expect(other.wait(for: 1))
        #expect(first.value == 2 && other.value == 1)
    }

    @Test func `remote values, overrides and undeclared keys notify, and the new value is there before`() async throws {
        let seen = Mutex<[String]>([])
        func observe(_ read: @escaping @Sendable () -> String) {
            withObservationTracking {
                _ = read()
            } onChange: {
                let text = read()
                seen.withLock { $0.append(text) }
            }
        }
        observe { [flags] in flags[.greeting] }
        store.updateRemote(["greeting": "remote"])
        #expect(Clock.wait(atMost: 30) { seen.withLock { $0 == ["remote"] } })
        observe { [flags] in (try? flags.string("undeclared_greeting")) ?? "none" }
        try await store.setOverride("undeclared_greeting", to: "text")
        #expect(Clock.wait(atMost: 30) { seen.withLock { $0 == ["remote", "text"] } })
        observe { [flags] in flags[.theme].rawValue }
        try await store.setOverride(.theme, to: .festive)
        #expect(Clock.wait(atMost: 30) { seen.withLock { $0.last == "festive" } })
        observe { [flags] in flags[.theme].rawValue }
        try await store.clearOverrides()
        #expect(Clock.wait(atMost: 30) { seen.withLock { $0.last == "plain" } })
    }

    @Test func `a value equal to the old one notifies nobody`() async throws {
        let (same, other) = (Redraws(), Redraws())
        _ = same.observe { flags[.greeting] }
        _ = other.observe { flags[.ratio] }
        try await store.setOverride(.greeting, to: "hi")
        try await store.setOverride(.ratio, to: 2)
        #expect(other.wait(for: 1))
        #expect(same.value == 0)
    }

    @Test func `observers on several threads are notified again and again`() async {
        let count = 50
        let readers = DispatchGroup()
        let missed = Atomic(0)
        for _ in 0..<4 {
            DispatchQueue.global().async(group: readers) { [flags] in
                let changed = DispatchSemaphore(value: 0)
                for _ in 0..<count {
                    _ = withObservationTracking({ flags[.maximumItemCount] }, onChange: { changed.signal() })
                    guard changed.wait(timeout: .now() + 30) == .success else {
                        missed.add(1, ordering: .relaxed)
                        return
                    }
                }
            }
        }
        // Swift starts to track after the closure: a change before that is missed, and the next one is not.
        var number = 10
        await waitUntil("the readers have seen enough") {
            number += 1
            store.updateRemote(["maximum_item_count": "\(number)"])
            return readers.wait(timeout: .now()) == .success
        }
        #expect(store[.maximumItemCount] == number && missed.load(ordering: .relaxed) == 0)
    }

    @Test func `an observer keeps neither the store nor the flags`() {
        var store: FlagStore? = .inMemory()
        var flags: ObservableFlags? = store.map(ObservableFlags.init)
        let redraws = Redraws()
        _ = redraws.observe { flags?[.multipleLocations] }
        weak let (releasedStore, releasedFlags) = (store, flags)
        (store, flags) = (nil, nil)
        #expect(releasedStore == nil && releasedFlags == nil)
    }
}
