import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Flags

extension FlagKey<Int> {
    fileprivate static let first = FlagKey("model_first", default: 0)
    fileprivate static let second = FlagKey("model_second", default: 0)
}

extension FlagKey<String> {
    fileprivate static let text = FlagKey("model_text", default: "none")
}

/// Random changes by an app and by a second store on the same folder, and what every kind of observer of the app makes
/// of them.
@Suite(.slow, .mayBlock, .timeLimit(.minutes(10))) struct ObserverModelTests {
    private static let undeclared = "model_undeclared"
    /// Set last, so that observers know when to stop.
    private static let last = "model_last"
    /// The keys of the changed flags. Reading them declares the flags.
    private static let keys = [
        FlagKey<Int>.first.name, FlagKey<Int>.second.name, FlagKey<String>.text.name, undeclared,
    ]

    /// What an observer knows of each flag. Each change must begin where the one before has ended.
    private struct Seen {
        var values: FlagTable<String>
        var errors: [String] = []

        mutating func receive(_ change: FlagChange<String?>) {
            if change.old != values[change.key] {
                errors.append("\(change) after \(String(describing: values[change.key]))")
            }
            if change.old == change.new { errors.append("\(change) changes nothing") }
            values[change.key] = change.new
        }
    }

    /// The effective text of each flag, by a snapshot of the store.
    private static func values(in flags: FlagStore) -> FlagTable<String> {
        let contents = flags.contents
        return FlagTable((keys + [last]).compactMap { key in contents.outcome(of: key).text.map { (key, $0) } }) {
            first, _ in first
        }
    }

    /// One random change by the app, or by the other store.
    private static func change(_ app: FlagStore, _ other: FlagStore, _ random: inout SeededGenerator) async throws {
        let key = keys.randomElement(using: &random) ?? ""
        let text = String(Int.random(in: 0...4, using: &random))
        let writer = Bool.random(using: &random) ? app : other
        switch Int.random(in: 0..<10, using: &random) {
        case 0...4: try await writer.setOverride(key, to: text)
        case 5...6: try await writer.clearOverride(key)
        case 7: try await writer.setOverrides(keys.map { .set($0, to: text) })
        case 8: try await writer.clearOverrides()
        default: app.updateRemote([key: text])
        }
        // Reads some flags, so that some slots are filled.
        if Bool.random(using: &random) { _ = (app[.first], app[.text]) }
    }

    @Test(arguments: 1...8) func `observers see each change once and end with the store`(seed: UInt64) async throws {
        let place = AppPlace()
        let (app, other) = (place.store(), place.store())
        let start = Seen(values: Self.values(in: app))
        let (all, ofFirst, ofText) = (app.changes, app.changes(of: .first), app.changes(of: Self.undeclared))
        async let seenByStream = Self.follow(all, from: start)
        async let firsts = Self.follow(ofFirst, until: -1)
        async let texts = Self.follow(ofText, until: "-1")
        let handled = Mutex(start)
        let handledTexts = Mutex<[String]>([app[.text]])
        let observations = [
            app.onChange { change in handled.withLock { $0.receive(change) } },
            app.onChange(of: .text) { change in
                handledTexts.withLock { texts in
                    #expect(texts.last == change.old && change.old != change.new)
                    texts.append(change.new)
                }
            },
        ]
        let updates = app.overrideUpdates
        async let lastOverrides = Self.lastOverrides(updates)
        let snapshots = app.snapshots
        async let ofSnapshots = Self.follow(snapshots, from: start.values)
        let layers = app.layerUpdates(in: [.override])
        async let layerText = Self.lastText(layers, in: app)

        var random = SeededGenerator(seed: seed)
        for _ in 0..<150 { try await Self.change(app, other, &random) }
        try await app.setOverrides([
            .set(.first, to: -1), .set(Self.undeclared, to: "-1"), .set(.text, to: Self.last),
        ])
        try await app.setOverride(Self.last, to: "true")

        let end = Self.values(in: app)
        let stream = await seenByStream
        #expect(stream.errors.isEmpty && stream.values == end, "\(stream.errors)")
        #expect(Clock.wait(atMost: 60) { handled.withLock { $0.values == end } })
        #expect(handled.withLock { $0.errors }.isEmpty)
        #expect(Clock.wait(atMost: 60) { handledTexts.withLock { $0.last == Self.last } })
        let (wrongFirsts, wrongTexts) = await (firsts, texts)
        #expect(wrongFirsts.isEmpty && wrongTexts.isEmpty, "\(wrongFirsts) \(wrongTexts)")
        #expect(await lastOverrides == app.activeOverrides)
        #expect(await layerText == "true")
        #expect(await ofSnapshots == end)
        layers.continuation.finish()
        #expect(Clock.wait(atMost: 60) { other.activeOverrides == app.activeOverrides })
        withExtendedLifetime(observations) {}
    }

    /// The values of those keys alone that the snapshots name.
    private static func follow(
        _ snapshots: some AsyncSequence<FlagStore.SnapshotChange, Never>, from start: FlagTable<String>
    ) async -> FlagTable<String> {
        var values = start
        for await change in snapshots {
            for key in change.changedKeys { values[key] = change.snapshot.contents.outcome(of: key).text }
            if change.changedKeys.contains(last) { break }
        }
        return values
    }

    private static func follow(_ changes: FlagChanges<String?>, from start: Seen) async -> Seen {
        var seen = start
        for await change in changes {
            seen.receive(change)
            if change.key == last { break }
        }
        return seen
    }

    /// The changes that do not begin where the one before has ended.
    private static func follow<Value: Equatable>(
        _ changes: FlagChanges<Value>, until end: Value
    ) async -> [FlagChange<Value>] {
        var wrong: [FlagChange<Value>] = []
        var known: Value?
        for await change in changes {
            if change.old == change.new || known.map({ $0 != change.old }) == true { wrong.append(change) }
            known = change.new
            if change.new == end { break }
        }
        return wrong
    }

    private static func lastOverrides(_ updates: AsyncStream<FlagTable<FlagOverride>>) async -> FlagTable<FlagOverride>?
    {
        for await overrides in updates where overrides[last] != nil { return overrides }
        return nil
    }

    private static func lastText(_ layers: StoreUpdates<Void>, in app: FlagStore) async -> String? {
        for await _ in layers.stream {
            if let text = app.activeOverrides[last]?.value { return text }
        }
        return nil
    }

    /// The revisions that one observer has received.
    private struct Revisions {
        var last: Int
        /// The changes that did not begin where the one before has ended.
        var wrong: [String] = []

        mutating func receive(_ change: StoreChange) {
            if change.old.revision != last || change.new.revision != last + 1 {
                wrong.append("\(change.old.revision) to \(change.new.revision) after \(last)")
            }
            last = change.new.revision
        }
    }

    private static func observe(
        _ app: FlagStore, _ revisions: borrowing Mutex<Revisions>, _ handler: @escaping @Sendable (StoreChange) -> Void
    ) -> FlagObservation {
        app.observe(begin: { contents in revisions.withLock { $0.last = contents.revision } }, handler)
    }

    /// Sets an override again and again while a new observer is there; returns what is wrong.
    private static func write(_ rounds: Int, by writer: Int, to app: FlagStore) async -> [String] {
        var wrong: [String] = []
        for round in 1...rounds {
            let some = Mutex(Revisions(last: 0))
            let observation = observe(app, some) { change in some.withLock { $0.receive(change) } }
            do {
                try await app.setOverride("model_\(writer)", to: "\(round)")
            } catch {
                wrong.append("\(error)")
            }
            observation.cancel()
            wrong += some.withLock { $0.wrong }
        }
        return wrong
    }

    /// Several threads change a store, an observer makes changes itself, and observers come and go meanwhile.
    @Test func `observers of many writers see every generation once and in order`() async {
        let place = AppPlace()
        let app = place.store()
        let all = Mutex(Revisions(last: 0))
        let observation = Self.observe(app, all) { change in
            all.withLock { $0.receive(change) }
            // Delivered after this change, also to this observer.
            if case .overrideFile = change.cause { app.updateRemote(["model_echo": "\(change.new.revision)"]) }
        }
        let (writers, rounds) = (4, 25)
        let wrong = await withTaskGroup(of: [String].self) { group in
            for writer in 0..<writers { group.addTask { await Self.write(rounds, by: writer, to: app) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Clock.wait(atMost: 60) { all.withLock { $0.last } == app.contents.revision })
        #expect(all.withLock { $0.wrong }.isEmpty && wrong.isEmpty, "\(wrong)")
        #expect(app.contents.revision >= 2 * writers * rounds)
        #expect((0..<writers).allSatisfy { app.activeOverrides["model_\($0)"]?.value == "\(rounds)" })
        withExtendedLifetime(observation) {}
    }

    @Test func `an observer is not called after its end or for earlier changes`() throws {
        let app = FlagStore.inMemory()
        let first = Mutex<[Int]>([])
        let second = Mutex<[Int]>([])
        let later = Mutex<FlagObservation?>(nil)
        let observation = app.observe { change in
            first.withLock { $0.append(change.new.revision) }
            guard first.withLock({ $0.count }) == 1 else { return }
            // Made and missed: a new observer begins with the contents that have it.
            app.updateRemote(["a": "2"])
            later.withLock { $0 = app.observe { change in second.withLock { $0.append(change.new.revision) } } }
        }
        let start = app.contents.revision
        app.updateRemote(["a": "1"])
        #expect(first.withLock { $0 } == [start + 1, start + 2] && second.withLock { $0 }.isEmpty)
        app.updateRemote(["a": "3"])
        observation.cancel()
        app.updateRemote(["a": "4"])
        #expect(first.withLock { $0 } == [start + 1, start + 2, start + 3])
        #expect(second.withLock { $0 } == [start + 3, start + 4])
    }

    @Test func `a text is read by many threads while it changes`() {
        let app = FlagStore.inMemory()
        let rounds = 2_000
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { number in
            var last = 0
            for round in 1...rounds {
                if number == 0 {
                    app.updateRemote(["model_text": "\(round)"])
                } else {
                    // The values of one writer, read by one reader, never go back.
                    let value = Int(app[.text]) ?? 0
                    if value < last { wrong.withLock { $0.append("\(value) after \(last)") } }
                    last = value
                }
            }
        }
        #expect(wrong.withLock { $0 }.isEmpty && app[.text] == "\(rounds)")
    }
}
