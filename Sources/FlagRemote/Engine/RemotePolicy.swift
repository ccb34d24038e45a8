/// When fetched values come into use.
public enum Activation: Sendable, Hashable {
    /// When the app activates them. Only the first values of a source are in use immediately, as they replace none.
    case manual
    /// As soon as they are fetched.
    case immediately
    /// At the next start of the app, so that one run reads one consistent set of remote values.
    case nextLaunch
}

/// Which sources a fetch requests.
public enum FetchScope: Sendable, Hashable {
    /// No sources.
    case nothing
    /// Sources without values. If another source has values, sources that failed less than a minute ago are skipped.
    case withoutValues
    /// Sources that have not responded in this run.
    case withoutResponse
    /// Sources whose last response is at least this old.
    case olderThan(Duration)
    /// All sources.
    public static let all = FetchScope.olderThan(.zero)
}

/// When an engine requests its sources and activates their values.
public struct RemotePolicy: Sendable {
    /// When fetched values come into use.
    public var activation: Activation
    /// How old the last response must be before a fetch requests another one; 12 hours, as in vendors' clients.
    public var minimumInterval: Duration
    /// How long one request may take; 60 seconds, as in vendors' clients. Without a limit, a source that never responds
    /// would block all other fetches.
    public var timeLimit: Duration

    /// A policy; each default is described at its property.
    public init(
        activation: Activation = .immediately, minimumInterval: Duration = .seconds(12 * 3_600),
        timeLimit: Duration = .seconds(60)
    ) {
        (self.activation, self.minimumInterval, self.timeLimit) = (activation, minimumInterval, timeLimit)
    }
}
