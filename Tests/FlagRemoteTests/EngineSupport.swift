import FlagModel
import FlagTesting
import Foundation
import Synchronization
import TestSupport

@testable import FlagRemote

/// A temporary folder for one test's engines: their cache and their files.
final class EnginePlace: Sendable {
    private let folder = Workplace()
    let clock = ManualClock()

    var cache: RemoteCache { RemoteCache(folder: folder.place("cache")) }

    /// An opened engine that shares only files with the others, like one in another process.
    func engine(
        _ sources: [any RemoteSource], activation: Activation = .manual, timeLimit: Duration = .seconds(60),
        isFromCache: Bool = false
    ) -> RemoteEngine {
        let engine = RemoteEngine(
            sources: sources, cache: cache,
            policy: RemotePolicy(activation: activation, timeLimit: timeLimit), clock: clock.sourceClock)
        engine.open(isFromCache: isFromCache)
        return engine
    }

    /// Replaces a file.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try text.write(toFile: folder.place(name), atomically: true, encoding: .utf8)
        return folder.place(name)
    }
}

extension RemoteEngine {
    /// The remote value of a key.
    func value(_ key: String = "a") -> String? { current.snapshot().values[key]?.string }

    /// All updates from now on.
    func updates() -> AsyncStream<RemoteUpdate> {
        let (updates, update) = AsyncStream.makeStream(of: RemoteUpdate.self)
        observe({ update.yield($0) }, afterwards: {})
        return updates
    }

    /// Overrides the user that a source evaluates for; `nil` resets it to the configured one.
    func changeUser(of source: String = "people", to user: String?) throws {
        let edit = user.map { ContextEdit.set(name: "user", value: $0) } ?? .reset
        let (old, revision) = state.withLock { ($0.contexts, $0.contextsRevision) }
        let change = try self.edit(ContextChange(source: source, edits: [edit]), in: old)
        let contexts = OverrideTable(contexts: old).applying([change]).contexts
        replaceContexts(with: contexts, at: revision + 1, isRequested: true)
    }
}

extension FetchOutcome {
    /// The error sentence; `nil` if the fetch did not fail.
    var failure: String? { if case .failed(let sentence) = self { sentence } else { nil } }
}

extension AsyncStream<RemoteUpdate> {
    /// Waits until `count` fetches have started.
    func waitForFetches(_ count: Int) async {
        var left = count
        for await update in self {
            if case .fetchStarted = update.cause { left -= 1 }
            if left == 0 { return }
        }
    }
}
