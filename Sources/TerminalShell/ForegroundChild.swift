import CNcurses

/// A child process that has the terminal while this one waits, such as an editor.
public enum ForegroundChild {
    /// What came of it.
    public enum Outcome: Sendable, Equatable {
        /// It ended; the status is that of `wait(2)`.
        case ended(status: Int32)
        /// Nothing is known of it any more.
        case lost
        /// Meanwhile this process was asked to end by a signal, which was passed on to the child. Whoever waits tidies
        /// up and raises it.
        case endAsked(signal: Int32)
    }

    /// Waits for the end of a child by its process id. While it is stopped, so is this process, and both are
    /// continued together.
    public static func wait(for id: Int32) -> Outcome {
        var status: Int32 = 0
        let result = cw_wait(id, &status)
        return result == 0 ? .ended(status: status) : result < 0 ? .lost : .endAsked(signal: result)
    }
}
