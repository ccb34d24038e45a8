/// When fetched values become the ones that are read.
public enum Activation: Sendable, Hashable {
    /// When the app activates them. Only the first values of a source are active at once, since there is nothing that
    /// they would change.
    case manual
    /// As soon as they are fetched.
    case immediately
    /// At the next start of the app, so that one run reads one consistent set of remote values.
    case nextLaunch
}

/// Which sources a fetch requests.
public enum FetchScope: Sendable, Hashable {
    /// None.
    case nothing
    /// Those without any values, except for those that failed less than a minute ago if others have values.
    case unknown
    /// Those that have not responded in this run.
    case unanswered
    /// Those whose last response is at least this old.
    case olderThan(Duration)
    /// All.
    public static let all = FetchScope.olderThan(.zero)
}

/// How an engine treats its sources.
public struct RemotePolicy: Sendable {
    /// When fetched values become the ones that are read.
    public var activation: Activation
    /// How old the last response must be before a fetch requests another one; 12 hours, as in vendors' clients.
    public var minimumInterval: Duration
    /// How long one request may take; 60 seconds, as in vendors' clients. A source that never responds would block all
    /// other fetches.
    public var timeLimit: Duration

    /// A policy; each default is described at its property.
    public init(
        activation: Activation = .immediately, minimumInterval: Duration = .seconds(12 * 3_600),
        timeLimit: Duration = .seconds(60)
    ) {
        self.activation = activation
        self.minimumInterval = minimumInterval
        self.timeLimit = timeLimit
    }
}
