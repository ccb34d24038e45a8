import FlagRemote
import Flags
import Logging
import Synchronization
import Testing

/// Concurrent readers and writers.
struct ConcurrencyTests {
    @Test(
        .timeLimit(.minutes(10)))
    func `8 readers and 2 writers read only written values and end with the last one`() async throws {
        let flags = FlagStore.inMemory([
            "maximum_item_count": "0", "greeting": "0", "enable_multiple_locations": "false",
        ])
        let rounds = 2_000
        let changes = flags.changes(of: .maximumItemCount)
        let ending = Task {
            for await change in changes where change.new == rounds { return }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask {
                    for _ in 1...rounds {
                        let (number, text) = (flags[.maximumItemCount], flags[.greeting])
                        #expect(0...rounds ~= number && 0...rounds ~= (Int(text) ?? -1))
                        _ = flags[.multipleLocations]
                        let snapshot = flags.snapshot()
                        let isEven = Int(snapshot[.greeting])?.isMultiple(of: 2)
                        #expect(snapshot[.multipleLocations] == (isEven == true && snapshot[.greeting] != "0"))
                    }
                }
            }
            group.addTask {
                for number in 1...rounds { try await flags.setOverride(.maximumItemCount, to: number) }
            }
            group.addTask {
                for number in 1...rounds {
                    flags.updateRemote([
                        "greeting": "\(number)", "enable_multiple_locations": "\(number.isMultiple(of: 2))",
                    ])
                    flags.withOverrides([.set(.greeting, to: "scoped \(number)")]) {
                        #expect(flags[.greeting] == "scoped \(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        await ending.value
        #expect(flags[.maximumItemCount] == rounds && flags[.greeting] == "\(rounds)")
    }

    @Test func `a value may read flags while it is created from text`() async throws {
        let flags = Nosy.flags
        #expect(flags[.nosy].seen == "plain 10")
        var seen: [String] = []
        for number in 1...3 {
            try await flags.setOverride(.nosy, to: Nosy(flagText: "festive"))
            try await flags.setOverride(.maximumItemCount, to: number)
            try await flags.clearOverride(.nosy)
            flags.updateRemote(["nosy": "text \(number)"])
            seen.append(flags[.nosy].seen)
        }
        #expect(seen == ["text 1 1", "text 2 2", "text 3 3"])
    }

    @Test func `an object may read flags while it is deallocated`() async throws {
        let flags = FlagStore.inMemory(["last_words": "0"])
        let received = Mutex<[Int]>([])
        let key = FlagKey("last_words", default: LastWords(flagText: "none"))
        for number in 1...5 {
            _ = flags[key]
            flags[key].onGoing.withLock { words in
                words = { received.withLock { $0.append(flags[.maximumItemCount]) } }
            }
            try await flags.setOverride(key.name, to: "\(number)")
        }
        #expect(received.withLock { $0 } == [10, 10, 10, 10, 10])
    }

    @Test func `a log handler may read flags while the main store is created, and a source while it is deallocated`()
        async
    {
        await #expect(processExitsWith: .success) {
            LoggingSystem.bootstrap { _ in
                _ = FlagStore.main[.maximumItemCount]
                return SwiftLogNoOpLogHandler()
            }
            precondition(FlagStore.main[.maximumItemCount] == 10)
            for _ in 1...3 {
                FlagStore.main = FlagStore(app: "shop", sources: [Farewell()], options: .init(overrides: .closed))
                precondition(FlagStore.main[.maximumItemCount] == 10)
            }
        }
    }
}

/// A value that reads another flag when it is created.
private struct Nosy: FlagValue {
    static let flags = FlagStore.inMemory(["nosy": "plain"])
    static var flagType: FlagType { .string }
    private let text: String
    let seen: String

    init(flagText: String) {
        text = flagText
        seen = "\(text) \(Self.flags[.maximumItemCount])"
    }

    func flagText() -> String { text }
}

extension FlagKey<Nosy> {
    fileprivate static let nosy = FlagKey("nosy", default: Nosy(flagText: "none"))
}
/// A value that calls a closure when it is deallocated.
private final class LastWords: FlagValue {
    static var flagType: FlagType { .string }
    private let text: String
    let onGoing = Mutex<@Sendable () -> Void>({})

    init(flagText: String) { text = flagText }

    func flagText() -> String { text }

    deinit { onGoing.withLock { $0 }() }
}

/// A source that reads a flag when it is deallocated.
private final class Farewell: RemoteSource {
    let identity: SourceIdentity = "farewell"
    let name = "farewell"

    func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> FetchResult { .unchanged }

    deinit { _ = FlagStore.main[.maximumItemCount] }
}
