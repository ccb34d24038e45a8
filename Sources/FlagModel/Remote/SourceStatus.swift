/// The status of one source.
public struct SourceStatus: Sendable, Equatable {
    /// Which of a source's values are in use.
    public enum Condition: Sendable, Equatable {
        /// No values, as the source was not read yet.
        case unread
        /// Values are in use; `at` is when they were read.
        case read(at: FlagTimestamp)
        /// The source could not be read; the reason is a sentence. If cached values are in use, `cachedFrom` is when
        /// they were read.
        case failed(reason: String, cachedFrom: FlagTimestamp?)
    }

    /// The source's name in commands.
    public let name: String
    /// The source's short name.
    public let title: String
    /// Which of the source's values are in use.
    public let condition: Condition
    /// Whether the source has an update that waits for activation.
    public let isWaiting: Bool
    /// When the source's rate limit ends; `nil` if the source is not rate limited.
    public let rateLimitedUntil: FlagTimestamp?

    /// When the source's values in use were read; `nil` if no values are in use.
    public var valuesAt: FlagTimestamp? {
        switch condition {
        case .unread: nil
        case .read(let moment): moment
        case .failed(_, let cachedAt): cachedAt
        }
    }

    /// Whether the source could not be read.
    public var isFailed: Bool { if case .failed = condition { true } else { false } }

    /// A source.
    ///
    /// - Parameter title: a shorter name, such as the last part of a path; by default, `name`.
    public init(
        name: String, title: String? = nil, condition: Condition, isWaiting: Bool = false,
        rateLimitedUntil: FlagTimestamp? = nil
    ) {
        self.name = name
        self.title = title ?? name
        (self.condition, self.isWaiting, self.rateLimitedUntil) = (condition, isWaiting, rateLimitedUntil)
    }
}
