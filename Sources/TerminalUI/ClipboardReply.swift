/// The result of copying a text.
public enum ClipboardReply: Sendable, Hashable {
    /// The text was sent to the terminal, which does not confirm it. Some terminals ask their user first, and some are
    /// configured to reject the text.
    case sent
    /// The text was sent to tmux, which accepts it only if the option `set-clipboard` is `on`.
    case sentToTmux
    /// The text was not sent: terminals accept at most `limit` bytes of UTF-8.
    case tooLong(limit: Int)
    /// The text was not sent: this terminal has no known clipboard.
    case unsupported
}
