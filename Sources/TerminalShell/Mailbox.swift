import Synchronization

/// Messages from any thread to the loop that owns the terminal.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let pipe = SignalPipe()

    /// An empty mailbox.
    public init() {}

    /// Posts a message and wakes the loop. May be called on any thread, and never waits for the loop.
    public func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        pipe.wake()
    }

    /// Removes and returns all messages, in the order in which they were posted.
    public func drain() -> [Message] {
        // The pipe is drained first: a message posted between the two steps wakes the loop again, so no message is
        // missed.
        _ = pipe.drain()
        return messages.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }

    /// A descriptor for `poll`, readable while there are messages; -1 if the process has no descriptor left.
    public var descriptor: Int32 { pipe.reading }
}
