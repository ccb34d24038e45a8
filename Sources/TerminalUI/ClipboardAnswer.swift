/// The result of copying a text.
public enum ClipboardAnswer: Sendable, Hashable {
    /// Sent to the terminal. It does not confirm: some prompt their user first, some are configured to reject it.
    case sent
    /// Sent to tmux, which accepts it only if its option `set-clipboard` is `on`.
    case sentToTmux
    /// Not sent, as terminals accept at most so many bytes of UTF-8.
    case tooLong(limit: Int)
    /// Not sent, as this terminal has no known clipboard.
    case unsupported
}
