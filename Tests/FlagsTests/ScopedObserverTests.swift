import Flags
import Observation
import Synchronization
import Testing

/// Observers that start in a scope of `withOverrides` see its values, as long as it lasts.
@Suite(.timeLimit(.minutes(10)))
struct ScopedObserverTests {
    private let flags = FlagStore.inMemory(["enable_multiple_locations": "false", "maximum_item_count": "1"])

    @Test func `a sequence of changes leaves out those that the scope hides`() async throws {
        try await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            var changes = flags.changes.makeAsyncIterator()
            flags.updateRemote(["enable_multiple_locations": "true", "maximum_item_count": "1"])
            try await flags.setOverride(.maximumItemCount, to: 2)
            #expect(await changes.next()?.key == "maximum_item_count")
        }
    }

    @Test func `a change that reaches the scope through an invalid value is reported`() async throws {
        try await flags.withOverrides([.set("maximum_item_count", to: "many")]) {
            var changes = flags.changes(of: .maximumItemCount).makeAsyncIterator()
            try await flags.setOverride(.maximumItemCount, to: 2)
            let change = await changes.next()
            #expect(change == FlagChange(key: "maximum_item_count", old: 1, new: 2, layer: .override))
        }
    }

    @Test func `a handler is not called for hidden changes, and what it reads has the scope's values`() async throws {
        let seen = Mutex<[String]>([])
        try await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            let observation = flags.onChange { change in
                seen.withLock { $0.append("\(change.key) \(flags[.multipleLocations])") }
            }
            try await flags.setOverride(.multipleLocations, to: true)
            try await flags.setOverride(.maximumItemCount, to: 2)
            await waitUntil("the handler is called") { seen.withLock { $0.contains { $0.contains("count") } } }
            withExtendedLifetime(observation) {}
        }
        #expect(seen.withLock { $0 } == ["maximum_item_count true"])
    }

    @Test func `a handler of one flag is not called for hidden changes`() async throws {
        let inside = Mutex<[Bool]>([])
        let outside = Mutex<[Bool]>([])
        let outer = flags.onChange(of: .multipleLocations) { change in outside.withLock { $0.append(change.new) } }
        try await flags.withOverrides([.set(.multipleLocations, to: false)]) {
            let inner = flags.onChange(of: .multipleLocations) { change in inside.withLock { $0.append(change.new) } }
            try await flags.setOverride(.multipleLocations, to: true)
            await waitUntil("the other handler is called") { outside.withLock { $0 == [true] } }
            withExtendedLifetime(inner) {}
        }
        #expect(inside.withLock { $0.isEmpty })
        withExtendedLifetime(outer) {}
    }

    @Test func `an observer from outside sees the store's values, also if the change is made in a scope`() async throws
    {
        var changes = flags.changes(of: .multipleLocations).makeAsyncIterator()
        try await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            try await flags.setOverride(.multipleLocations, to: true)
        }
        #expect(await changes.next()?.new == true)
    }

    @Test func `observable flags that are made in a scope have its values in every task, until it ends`() async {
        let observable = await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            let observable = ObservableFlags(flags)
            let values = await Task.detached {
                (observable[.multipleLocations], try? observable.int("maximum_item_count"))
            }.value
            #expect(values == (true, 1))
            return observable
        }
        #expect(!observable[.multipleLocations])
    }

    @Test func `a view that is drawn again, in another task, has the scope's values`() async throws {
        try await flags.withOverrides([.set(.multipleLocations, to: true)]) {
            let view = View(ObservableFlags(flags))
            view.draw()
            // As by another task or process, which is not in the scope.
            try await Task.detached { [flags] in try await flags.setOverride(.maximumItemCount, to: 2) }.value
            await waitUntil("the view is drawn again") { view.drawn.count == 2 }
            #expect(view.drawn == ["true 1", "true 2"])
        }
    }

    @Test func `a sequence that outlives its scope reports the store's values`() async throws {
        let changes = flags.withOverrides([.set(.multipleLocations, to: true)]) {
            flags.changes(of: .multipleLocations)
        }
        try await flags.setOverride(.multipleLocations, to: true)
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change == FlagChange(key: "enable_multiple_locations", old: false, new: true, layer: .override))
    }

    @Test func `an inner scope wins, and ends before the outer one`() async throws {
        await flags.withOverrides([.set(.maximumItemCount, to: 5), .set(.multipleLocations, to: true)]) {
            let observable = flags.withOverrides([.set(.maximumItemCount, to: 6)]) {
                let observable = ObservableFlags(flags)
                #expect(observable[.maximumItemCount] == 6)
                return observable
            }
            let values = await Task.detached { (observable[.maximumItemCount], observable[.multipleLocations]) }.value
            #expect(values == (5, true))
        }
    }
}

/// Draws flags again after each change, as SwiftUI does.
private final class View: Sendable {
    private let flags: ObservableFlags
    private let texts = Mutex<[String]>([])

    init(_ flags: ObservableFlags) { self.flags = flags }

    var drawn: [String] { texts.withLock { $0 } }

    func draw() {
        let text = withObservationTracking {
            "\(flags[.multipleLocations]) \(flags[.maximumItemCount])"
        } onChange: {
            Task.detached { self.draw() }
        }
        texts.withLock { $0.append(text) }
    }
}
