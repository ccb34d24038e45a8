import FlagModel
import FlagRemote

/// A token with a limited lifetime.
struct ExpiringToken: Sendable {
    /// The maximum accepted lifetime, in seconds: 30 days. Google's tokens are valid for an hour or a week.
    private static let longestLife = 30.0 * 86_400

    let secret: Secret
    /// When the token was received.
    let from: FlagTimestamp
    /// When the token expires.
    private(set) var until: FlagTimestamp
    /// How long before its expiry the token is no longer used, in seconds: a request takes time, and clocks differ.
    private let margin: Int64

    init(_ text: String, lasting seconds: Double, from: FlagTimestamp, margin: Int64) {
        let life = seconds.isFinite ? Int64(min(max(seconds, 0), Self.longestLife)) : 0
        (secret, self.from, self.margin) = (Secret(text), from, margin)
        until = FlagTimestamp(seconds: from.seconds + life)
    }

    /// Whether the token may be used. If the clock was set back, the token's age is unknown, so it may not be used.
    func isGood(at now: FlagTimestamp) -> Bool { now >= from && now.seconds < until.seconds - margin }

    /// Marks the token as expired.
    mutating func expire() { until = from }
}

extension JSONValue {
    /// The text of a member; `nil` if it is missing or empty, or not a text.
    func nonEmpty(_ name: String) -> String? { self[name]?.text.flatMap { $0.isEmpty ? nil : $0.string } }
}
