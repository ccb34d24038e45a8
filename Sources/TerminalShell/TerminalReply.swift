import TerminalUI

/// A response of the terminal to one of the requests at the start.
enum TerminalReply: Equatable {
    /// The response to `ESC ] 11 ; ? BEL`: the background.
    case background(TerminalBackground)
    /// The response to `ESC [ c`. This request is sent last and every terminal responds to it, so no other response
    /// follows.
    case attributes

    static let backgroundQuery = Array("\u{1B}]11;?\u{7}".utf8)
    static let lastQuery = Array("\u{1B}[c".utf8)

    /// The response in a control sequence; `content` is between `ESC [` and the last byte.
    init?(control content: [UInt8], last: UInt8) {
        guard last == UInt8(ascii: "c"), content.first == UInt8(ascii: "?") else { return nil }
        self = .attributes
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
