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
        do {
            try await function()
            await Self.places.leave()
        } catch {
            await Self.places.leave()
            throw error
        }
    }
}

extension Trait where Self == LimitedParallelism {
    /// Runs with only a few other tests that need as many resources.
    public static var limitedParallelism: LimitedParallelism { LimitedParallelism() }
}

/// A fixed number of places, given in the order of the requests.
private actor Places {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) { free = count }

    /// Returns when a place is free, and takes it.
    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Gives the place to the next one who waits.
    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
