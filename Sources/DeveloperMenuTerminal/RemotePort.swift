public import DeveloperMenu

/// How the menu reaches its remote sources. Each closure may take its time, is called off the terminal's thread, one at
/// a time, and answers with what happened.
public struct RemotePort: Sendable {
    /// Reads the values that hold when the menu opens.
    public let open: @Sendable () -> Event
    /// Reads the sources again and keeps what they say for activation.
    public let fetch: @Sendable () -> Event
    /// Makes what was fetched last the values that hold.
    public let activate: @Sendable () -> Event
    /// Stores what was read, after it is on the screen; answers only where that is not possible.
    public let keep: @Sendable () -> Event?

    /// A port made of closures.
    public init(
        open: @escaping @Sendable () -> Event, fetch: @escaping @Sendable () -> Event,
        activate: @escaping @Sendable () -> Event, keep: @escaping @Sendable () -> Event? = { nil }
    ) {
        self.keep = keep
        self.open = open
        self.fetch = fetch
        self.activate = activate
    }
}
