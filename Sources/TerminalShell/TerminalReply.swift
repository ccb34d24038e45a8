import TerminalUI

/// A response of the terminal to one of the requests at the start.
enum TerminalReply: Equatable {
    /// The response to `ESC ] 11 ; ? BEL`: the background.
    case background(TerminalBackground)
    /// The response to `ESC [ ? 2026 $ p`: whether the terminal can delay drawing until a frame is complete.
    case synchronizedOutput(Bool)
    /// The response to `ESC [ c`, which is requested last and to which every terminal responds: no others will follow.
    case attributes

    static let backgroundQuery = Array("\u{1B}]11;?\u{7}".utf8)
    static let synchronizedOutputQuery = Array("\u{1B}[?2026$p".utf8)
    static let lastQuery = Array("\u{1B}[c".utf8)

    /// The response in a control sequence, from the content between `ESC [` and its last byte.
    init?(control content: [UInt8], last: UInt8) {
        let text = String(decoding: content, as: UTF8.self)
        if last == UInt8(ascii: "c"), text.hasPrefix("?") {
            self = .attributes
        } else if last == UInt8(ascii: "y"), text.hasPrefix("?2026;"), text.hasSuffix("$") {
            // DECRPM: 0 is unknown, 1 and 2 are on and off, 3 and 4 cannot be changed.
            self = .synchronizedOutput(["?2026;1$", "?2026;2$"].contains(text))
        } else {
            return nil
        }
    }

    /// The response in an operating system command, from the content between `ESC ]` and its end.
    init?(operatingSystem content: [UInt8]) {
        let text = String(decoding: content, as: UTF8.self)
        guard text.hasPrefix("11;"), let background = BackgroundColor.background(reply: text.dropFirst(3)) else {
            return nil
        }
        self = .background(background)
    }
}
