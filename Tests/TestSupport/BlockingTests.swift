import Foundation
public import Testing

/// Gives tests that block their thread, as those do that wait for another program, threads of their own.
///
/// All tests share as many threads as there are processors. Two that wait for a terminal would hold up hundreds that
/// only need a moment, some of which wait for no longer than so many seconds.
public struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    /// As many at once as the tests that do not block have threads, so that programs do not starve each other either.
    private static let threads = BlockableThreads(count: ProcessInfo.processInfo.activeProcessorCount)

    /// Also those of suites within.
    public var isRecursive: Bool { true }

    /// Runs a test there.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await function() }
    }
}

extension Trait where Self == BlockingTests {
    /// Runs on threads of its own, which it may block.
    public static var mayBlock: BlockingTests { BlockingTests() }
}

/// So many threads for tasks.
private final class BlockableThreads: TaskExecutor {
    private let queue = OperationQueue()

    init(count: Int) { queue.maxConcurrentOperationCount = count }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
