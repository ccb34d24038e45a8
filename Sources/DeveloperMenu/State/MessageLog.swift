import FlagModel

/// The messages of the menu: the one on the line above the footer, and all of this run.
public struct MessageLog: Sendable, Equatable {
    /// The last message; cleared by the next key press.
    public internal(set) var current: MenuState.Message?
    /// All messages, the oldest first.
    public private(set) var entries: [LoggedMessage] = []

    /// The most messages in the log: more than anyone reads.
    private static let limit = 500

    mutating func say(_ message: MenuState.Message, at now: Timestamp) {
        guard message != current else { return }
        current = message
        keep(message, at: now)
    }

    /// Logs a message that is shown elsewhere on the screen.
    mutating func keep(_ message: MenuState.Message, at now: Timestamp) {
        if entries.count >= Self.limit { entries.removeFirst(entries.count - Self.limit + 1) }
        entries.append(LoggedMessage(at: now, message: message))
    }
}
