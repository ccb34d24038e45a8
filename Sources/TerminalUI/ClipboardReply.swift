/// The result of copying a text.
public enum ClipboardReply: Sendable, Hashable {
    /// Sent to the terminal, which does not confirm: some terminals prompt their user first, some are configured to
    /// reject the text.
    case sent
    /// Sent to tmux, which accepts the text only if its option `set-clipboard` is `on`.
    case sentToTmux
    /// Not sent: terminals accept at most `limit` bytes of UTF-8.
    case tooLong(limit: Int)
    /// Not sent: this terminal has no known clipboard.
    case unsupported
}
