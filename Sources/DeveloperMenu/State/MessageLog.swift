import FlagModel

/// What the menu says: the message on the line above the footer, and everything that was said in this run.
public struct MessageLog: Sendable, Equatable {
    /// The last thing to say; gone with the next key press.
    public internal(set) var current: MenuState.Message?
    /// Everything that was said, the oldest first.
    public private(set) var entries: [LoggedMessage] = []

    /// How many messages are kept: more than anybody reads back.
    private static let limit = 500

    mutating func say(_ message: MenuState.Message, at now: Timestamp) {
        guard message != current else { return }
        current = message
        keep(message, at: now)
    }

    /// Keeps what is said elsewhere on the screen.
    mutating func keep(_ message: MenuState.Message, at now: Timestamp) {
        if entries.count >= Self.limit { entries.removeFirst(entries.count - Self.limit + 1) }
        entries.append(LoggedMessage(at: now, message: message))
    }
}
