import Foundation
public import Testing

/// Gives separate threads to tests that block their thread, such as those that wait for another program.
///
/// All tests share as many threads as there are processors. Two tests that wait for a terminal would delay hundreds of
/// short ones, some of which have a timeout of a few seconds.
public struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    /// One thread per processor, so that the programs of the tests do not starve each other.
    private static let threads = BlockableThreads(count: ProcessInfo.processInfo.activeProcessorCount)

    /// Applies to nested suites too.
    public var isRecursive: Bool { true }

    /// Runs a test on the separate threads.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) { try await function() }
    }
}

extension Trait where Self == BlockingTests {
    /// Runs on separate threads, which the test may block.
    public static var mayBlock: BlockingTests { BlockingTests() }
}

/// A task executor with a fixed number of threads.
private final class BlockableThreads: TaskExecutor {
    private let queue = OperationQueue()

    init(count: Int) { queue.maxConcurrentOperationCount = count }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
