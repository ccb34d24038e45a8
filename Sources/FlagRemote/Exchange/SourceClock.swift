public import FlagModel
import Platform

/// Time and chance as sources know them, so that a test brings its own.
public struct SourceClock: Sendable {
    /// The moment of now.
    public let now: @Sendable () -> Timestamp
    /// Waits; throws only when the task is cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void
    /// A number in `0..<1`.
    public let chance: @Sendable () -> Double

    /// A clock of closures.
    public init(
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void,
        chance: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.chance = chance
    }

    /// The system's.
    public static let system = SourceClock(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(seconds: Int64(time.tv_sec))
        },
        sleep: { try await Task.sleep(for: $0) }, chance: { .random(in: 0..<1) })
}
