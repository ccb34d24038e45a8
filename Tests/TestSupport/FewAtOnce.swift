import Synchronization
public import Testing

/// Runs so many tests of this kind at a time, for those that have servers and clients of their own. All together they hold
/// more than a thousand descriptors open, which starting another program does not always survive, and each waits for all.
public struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    private static let places = Places(count: 16)

    /// Also those of suites within.
    public var isRecursive: Bool { true }

    /// Runs a test once there is a place.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Self.places.take()
        defer { Self.places.leave() }
        try await function()
    }
}

extension Trait where Self == FewAtOnce {
    /// Runs beside few others that need as much.
    public static var fewAtOnce: FewAtOnce { FewAtOnce() }
}

/// So many places, which are taken in the order in which they were asked for.
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
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
