import FlagModel

/// A message on the line above the footer.
public struct MenuMessage: Sendable, Equatable {
    /// The kind of message.
    public enum Kind: Sendable, Equatable {
        /// A result, such as of a fetch.
        case updates
        /// One changed flag: its key, the old value, an arrow and the new value.
        case change
        /// A change made by another process.
        case elsewhere
        /// Why something is not possible.
        case rejection
        /// An error.
        case error
    }

    /// A sentence.
    public let text: String
    /// The kind.
    public let kind: Kind

    init(_ text: String, _ kind: Kind = .updates) { (self.text, self.kind) = (text, kind) }
}

/// The messages of the menu: the current message above the footer, and all messages of this run.
public struct MessageLog: Sendable, Equatable {
    /// The last message; cleared by the next key press.
    public internal(set) var current: MenuMessage?
    /// All messages, the oldest first.
    public private(set) var entries: [LoggedMessage] = []

    /// The maximum number of messages in the log. Further messages remove the oldest.
    private static let limit = 500

    /// Shows and logs a message, unless the message is already shown.
    mutating func show(_ message: MenuMessage, at now: FlagTimestamp) {
        guard message != current else { return }
        current = message
        keep(message, at: now)
    }

    /// Logs a message without showing it here, because another part of the screen shows the message.
    mutating func keep(_ message: MenuMessage, at now: FlagTimestamp) {
        if entries.count >= Self.limit { entries.removeFirst(entries.count - Self.limit + 1) }
        entries.append(LoggedMessage(at: now, message: message))
    }
}
