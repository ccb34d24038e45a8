/// The caller's options for the terminal.
public struct TerminalOptions: Sendable, Hashable {
    /// Whether colours are allowed; if `false`, no colour sequence is sent. The caller must check `NO_COLOR`.
    public var isColorAllowed: Bool
    /// Whether the terminal's background may be requested, with a few invisible bytes at the start. Requests are only
    /// sent if colours are allowed, and to terminals that are known to respond.
    public var areQueriesAllowed: Bool

    /// Creates options. By default everything is allowed.
    public init(isColorAllowed: Bool = true, areQueriesAllowed: Bool = true) {
        (self.isColorAllowed, self.areQueriesAllowed) = (isColorAllowed, areQueriesAllowed)
    }
}
