import FlagModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FlagStorage

/// Real processes, killed at random.
@Suite(.slow, .serialized, .mayBlock) struct TortureTests {
    let folder = StoreFolder()

    /// Runs `body` for each number on its own thread. Tasks would share only one thread per core.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let group = DispatchGroup()
        let failures = Mutex<[any Error]>([])
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                do {
                    try body(number)
                } catch {
                    failures.withLock { $0.append(error) }
                }
                group.leave()
            }
        }
        group.wait()
        if let first = failures.withLock({ $0.first }) { throw first }
    }

    /// Runs eight processes that set `count` keys each; each is killed `kills` times and continues after a restart.
    private func write(_ count: Int, kills: Int, options: [String] = []) throws -> FlagTable<String> {
        let acknowledged = Mutex<FlagTable<String>>([:])
        let path = folder.path
        try onThreads(8) { number in
            var writer = TortureWriter(
                directory: path, prefix: "writer\(number)", count: count, keys: count, options: options)
            for run in 0...kills where writer.first < count {
                let outcome = try writer.run(killedAfter: run < kills ? .random(in: 0...0.4) : 120)
                acknowledged.withLock { all in
                    for key in outcome.acknowledged { all["writer\(number).\(key)"] = "\(key)" }
                }
                // Without the lock some writes fail.
                #expect(outcome.errors == "" || !options.isEmpty)
                writer.first = (outcome.acknowledged.last ?? writer.first - 1) + 1
            }
        }
        return acknowledged.withLock { $0 }
    }

    @Test(.timeLimit(.minutes(3))) func `acknowledged overrides survive killed writers`() throws {
        let store = folder.store()
        let broken = Mutex<[StoreCondition]>([])
        let watch = try store.watch {
            let condition = store.read().condition
            if condition != .sound && condition != .missing { broken.withLock { $0.append(condition) } }
        }
        let acknowledged = try write(100, kills: 4)
        watch.cancel()
        #expect(broken.withLock { $0 } == [])
        #expect(acknowledged.count == 800)
        #expect(folder.store().read().table.values == acknowledged)
        _ = try store.apply([.set(key: "last", value: "1")])
        #expect(try folder.names() == ["history.jsonl", "overrides.json", "overrides.lock"])
        #expect(try store.undo().table.values == acknowledged)
    }

    /// The control: without the lock the test above must fail.
    @Test(.timeLimit(.minutes(3))) func `without the lock overrides are lost`() throws {
        let acknowledged = try write(30, kills: 0, options: ["--no-lock"])
        let storedValues = folder.store().read().table.values
        #expect(acknowledged.count > 200)
        #expect(acknowledged.contains { storedValues[$0.key] != $0.value })
    }

    @Test(.timeLimit(.minutes(3))) func `two hundred kills lose nothing`() throws {
        let keys = 20
        var writer = TortureWriter(directory: folder.path, prefix: "w", count: .max, keys: keys)
        var last = -1
        for _ in 0..<200 {
            writer.first = last + 1
            last = try writer.run(killedAfter: .random(in: 0...0.03)).acknowledged.last ?? last
            let reading = folder.store().read()
            #expect(reading.condition == .sound || (last < 0 && reading.condition == .missing))
            for number in max(0, last - keys + 1)..<(last + 1) {
                let value = reading.table.values["w.\(number % keys)"].flatMap { Int($0) }
                // The number after the last acknowledged one may be saved already.
                #expect(value == number || (value == last + 1 && value.map { $0 % keys } == number % keys))
            }
        }
        #expect(last > 0)
        _ = try folder.store().apply([.set(key: "last", value: "1")])
        #expect(try folder.names() == ["history.jsonl", "overrides.json", "overrides.lock"])
    }

    @Test func `file size limit is an error and the old file stays`() throws {
        _ = try folder.store().apply((0..<40).map { .set(key: "key \($0)", value: "old") })
        let before = try folder.text()
        var writer = TortureWriter(
            directory: folder.path, prefix: "w", count: 1, keys: 1, options: ["--file-limit", "512"])
        let outcome = try writer.run()
        #expect(outcome.status == 4 && outcome.acknowledged == [])
        #expect(outcome.errors.contains(folder.file))
        #expect(try folder.text() == before)
        #expect(try folder.names() == ["history.jsonl", "overrides.json", "overrides.lock"])
        writer.options.append("--deadly")
        #expect(try writer.run().status == 128 + SIGXFSZ)
        #expect(try folder.text() == before)
    }
}
