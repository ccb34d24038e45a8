import Essentials
public import FlagModel

/// Time and randomness for sources, which tests replace.
public struct SourceClock: Sendable {
    /// The current time.
    public let now: @Sendable () -> FlagTimestamp
    /// Waits; throws only if the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// A random number in `0..<1`.
    public let random: @Sendable () -> Double

    /// A clock from closures.
    public init(
        now: @escaping @Sendable () -> FlagTimestamp, sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        (self.now, self.sleep, self.random) = (now, sleep, random)
    }

    /// The system clock.
    public static let system = SourceClock(
        now: { FlagTimestamp(seconds: Int64(Date().timeIntervalSince1970)) },
        sleep: { try await Task.sleep(for: $0) }, random: { .random(in: 0..<1) })
}
