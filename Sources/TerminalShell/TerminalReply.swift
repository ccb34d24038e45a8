import TerminalUI

/// A response of the terminal to one of the requests at the start.
enum TerminalReply: Equatable {
    /// The response to `ESC ] 11 ; ? BEL`: the background.
    case background(TerminalBackground)
    /// The response to `ESC [ ? 2026 $ p`: whether the terminal supports synchronized output, which delays drawing
    /// until a frame is complete.
    case synchronizedOutput(Bool)
    /// The response to `ESC [ c`. This request is sent last and every terminal responds to it, so no other response
    /// follows.
    case attributes

    static let backgroundQuery = Array("\u{1B}]11;?\u{7}".utf8)
    static let synchronizedOutputQuery = Array("\u{1B}[?2026$p".utf8)
    static let lastQuery = Array("\u{1B}[c".utf8)

    /// The response in a control sequence; `content` is between `ESC [` and the last byte.
    init?(control content: [UInt8], last: UInt8) {
        let text = String(decoding: content, as: UTF8.self)
        if last == UInt8(ascii: "c"), text.hasPrefix("?") {
            self = .attributes
        } else if last == UInt8(ascii: "y"), text.hasPrefix("?2026;"), text.hasSuffix("$") {
            // DECRPM: 0 means unknown, 1 and 2 mean on and off, 3 and 4 mean that the mode cannot be changed.
            self = .synchronizedOutput(["?2026;1$", "?2026;2$"].contains(text))
        } else {
            return nil
        }
    }

    /// The response in an operating system command; `content` is between `ESC ]` and the end of the command.
    init?(operatingSystem content: [UInt8]) {
        let text = String(decoding: content, as: UTF8.self)
        guard text.hasPrefix("11;"), let background = BackgroundColor.background(reply: text.dropFirst(3)) else {
            return nil
        }
        self = .background(background)
    }
}
