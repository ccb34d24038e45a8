import Flags
import Observation
import Synchronization
import TestSupport
import Testing

/// Properties of classes that read a flag, and what else views observe.
struct FlagPropertyTests {
    private let store = FlagStore.inMemory(["maximum_item_count": "1"])

    @MainActor @Observable
    final class Model {
        @ObservationIgnored @Flag var count: Int
        let isMultiple: Flag<Bool>

        init(_ store: FlagStore) {
            _count = Flag(.maximumItemCount, in: store)
            isMultiple = Flag(.multipleLocations, in: store)
        }

        var text: String { "\(count) \(isMultiple())" }
    }

    final class Service: Sendable {
        let isMultiple: Flag<Bool>

        init(_ store: FlagStore) { isMultiple = Flag(.multipleLocations, in: store) }

        var title: String { isMultiple() ? "Locations" : "Location" }
    }

    /// Counts the notifications of one read.
    private func notifications(of read: () -> Void, during change: () async throws -> Void) async rethrows -> Int {
        let count = Counter()
        withObservationTracking(read) { count.add() }
        try await change()
        // The thread that opens the store may be the one that publishes.
        _ = Clock.wait { count.value > 0 }
        return count.value
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    @MainActor @Test func `an observable model is notified when a flag of its properties changes`() async throws {
        let model = Model(store)
        #expect(model.text == "1 false")
        let count = Counter()
        withObservationTracking {
            _ = model.text
        } onChange: {
            count.add()
        }
        try await store.setOverride(.maximumItemCount, to: 2)
        #expect(count.value == 1 && model.text == "2 false")
        withObservationTracking {
            _ = model.text
        } onChange: {
            count.add()
        }
        try await store.setOverride(.multipleLocations, to: true)
        #expect(count.value == 2 && model.text == "2 true")
    }

    @Test func `a class that is Sendable reads a flag by a constant`() async throws {
        let service = Service(store)
        #expect(service.title == "Location")
        try await store.setOverride(.multipleLocations, to: true)
        #expect(service.title == "Locations")
    }

    @Test(.mayBlock) func `the status, the catalog and snapshots are observed`() async throws {
        let flags = ObservableFlags(store)
        let catalog = #"[{"category": "Shop", "items": [{"key": "greeting", "value": "a|b"}]}]"#
        let idle = AppPlace().store()
        let ofStatus = await notifications(of: { _ = ObservableFlags(idle).remoteStatus }) { idle.updateRemote([:]) }
        #expect(ofStatus == 1)
        store.updateRemote(["config_categories": catalog])
        let ofCatalog = await notifications(of: { _ = flags.catalog.items }) { store.updateRemote([:]) }
        #expect(ofCatalog == 1)
        let ofSnapshot = try await notifications(of: { _ = flags.snapshot()[.greeting] }) {
            try await store.setOverride("never_read", to: "1")
        }
        #expect(ofSnapshot == 1)
    }

    @Test func `a snapshot comes after each change, with the keys that have changed`() async throws {
        var snapshots = store.snapshots.makeAsyncIterator()
        try await store.setOverride(.maximumItemCount, to: 2)
        let first = try await snapshots.next()
        #expect(first?.changedKeys == ["maximum_item_count"] && first?.snapshot[.maximumItemCount] == 2)
        // A slow reader gets the newest one.
        try await store.setOverride(.maximumItemCount, to: 3)
        try await store.setOverride(.multipleLocations, to: true)
        let second = try await snapshots.next()
        #expect(second?.changedKeys == ["maximum_item_count", "enable_multiple_locations"])
        #expect(second?.snapshot[.multipleLocations] == true && second?.snapshot[.maximumItemCount] == 3)
        // Also without a change of a value, such as of the catalog.
        store.updateRemote(["maximum_item_count": "9"])
        #expect(try await snapshots.next()?.changedKeys == [])
    }

    @MainActor @Test func `a handler runs on the actor of the code that has it`() async throws {
        var seen: [Int] = []
        let observation = store.onChange(of: .maximumItemCount) { change in
            MainActor.assertIsolated()
            seen.append(change.new)
        }
        try await store.setOverride(.maximumItemCount, to: 2)
        for _ in 0..<30_000 where seen.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(seen == [2])
        withExtendedLifetime(observation) {}
    }

    @Test func `launch values of keys that nothing knows are named, with what is similar`() {
        let flags = AppPlace().store(launch: ["greetng": "x", "greeting": "y"])
        #expect(flags.issues.isEmpty)
        flags.updateRemote([
            "config_categories": #"[{"category": "Shop", "items": [{"key": "greeting", "value": "a|b"}]}]"#
        ])
        #expect(flags.issues.count == 1 && flags.issues.first?.contains("greetng") == true)
        #expect(flags.issues.first?.contains(#"Did you mean "greeting"?"#) == true)
    }
}
