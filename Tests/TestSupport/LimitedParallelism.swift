import Synchronization
public import Testing

/// Limits how many tests with their own servers and clients run at a time. If all of them ran together, they would open
/// more than a thousand descriptors, which can make the start of another program fail, and they would slow each other
/// down.
public struct LimitedParallelism: SuiteTrait, TestTrait, TestScoping {
    private static let places = Places(count: 16)

    /// Applies to nested suites too.
    public var isRecursive: Bool { true }

    /// Runs a test when there is a free place.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Self.places.take()
        defer { Self.places.leave() }
        try await function()
    }
}

extension Trait where Self == LimitedParallelism {
    /// Runs with only a few other tests that need as many resources.
    public static var limitedParallelism: LimitedParallelism { LimitedParallelism() }
}

/// A fixed number of places, given in the order of the requests.
private final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) { state = Mutex(State(free: count)) }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let nextTest = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        nextTest?.resume()
    }
}
