import CNcurses

/// A child process, such as an editor, that uses the terminal while this process waits.
public enum ForegroundChild {
    /// How the wait ended.
    public enum Outcome: Sendable, Equatable {
        /// The child ended. The status is as from `wait(2)`.
        case ended(status: Int32)
        /// The status of the child is not known.
        case lost
        /// A signal requested an end and was forwarded to the child. The caller must clean up and raise the signal
        /// again.
        case endRequested(signal: Int32)
    }

    /// Holds back signals that request an end until ``wait(for:)`` can forward them to a child that starts now, or until
    /// ``releaseSignals()``.
    public static func holdSignals() { cw_hold_signals() }

    /// Lets held signals through; does nothing if none are held.
    public static func releaseSignals() { cw_release_signals() }

    /// Waits until the child with this process id ends. While the child is stopped, this process is stopped too.
    public static func wait(for id: Int32) -> Outcome {
        var status: Int32 = 0
        let result = cw_wait(id, &status)
        return result == 0 ? .ended(status: status) : result < 0 ? .lost : .endRequested(signal: result)
    }
}
