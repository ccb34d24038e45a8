/// What became of a text that was to be copied.
public enum ClipboardAnswer: Sendable, Hashable {
    /// Handed to the terminal. It does not tell whether it took it: some ask their user first, some are told to refuse.
    case sent
    /// Handed to tmux, which takes it only where its option `set-clipboard` is `on`.
    case sentToTmux
    /// Not handed over, as terminals take at most so many bytes of UTF-8.
    case tooLong(limit: Int)
    /// Not handed over, as nothing of the kind is known of this terminal.
    case unsupported
}
