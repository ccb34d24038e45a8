import CNcurses

/// A child process that uses the terminal while this one waits, such as an editor.
public enum ForegroundChild {
    /// The result.
    public enum Outcome: Sendable, Equatable {
        /// It ended; the status is that of `wait(2)`.
        case ended(status: Int32)
        /// Its status is not known.
        case lost
        /// Meanwhile a signal requested an end, and was passed on to the child. The caller cleans up and raises it.
        case endAsked(signal: Int32)
    }

    /// Waits for the end of a child by its process id. While it is stopped, so is this process, and both continue
    /// together.
    public static func wait(for id: Int32) -> Outcome {
        var status: Int32 = 0
        let result = cw_wait(id, &status)
        return result == 0 ? .ended(status: status) : result < 0 ? .lost : .endAsked(signal: result)
    }
}
