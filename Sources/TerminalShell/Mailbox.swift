import Synchronization

/// Messages from any thread for the one loop that owns the terminal.
public final class Mailbox<Message: Sendable>: Sendable {
    private let messages = Mutex<[Message]>([])
    private let pipe = WakePipe()

    /// An empty mailbox.
    public init() {}

    /// Posts a message and wakes the loop. Any thread may call it; it never waits for the loop.
    public func post(_ message: Message) {
        let isFirst = messages.withLock { waiting in
            waiting.append(message)
            return waiting.count == 1
        }
        if isFirst { pipe.wake() }
    }

    /// Takes all messages, in the order in which they were posted.
    public func drain() -> [Message] {
        // First the wake-up, then the messages: a message posted in between wakes again, and none is missed.
        _ = pipe.drain()
        return messages.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Readable if there are messages; for `poll`. -1 if the process has no descriptor left.
    public var descriptor: Int32 { pipe.reading }
}
