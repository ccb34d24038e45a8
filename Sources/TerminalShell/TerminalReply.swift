import TerminalUI

/// What a terminal answers to the questions that it is asked at the start.
enum TerminalReply: Equatable {
    /// To `ESC ] 11 ; ? BEL`, what the background is.
    case background(TerminalBackground)
    /// To `ESC [ ? 2026 $ p`, whether it can hold a frame back until it is complete.
    case synchronizedOutput(Bool)
    /// To `ESC [ c`, which every terminal answers: all answers that will come have come.
    case attributes

    static let backgroundQuestion = Array("\u{1B}]11;?\u{7}".utf8)
    static let synchronizedOutputQuestion = Array("\u{1B}[?2026$p".utf8)
    static let lastQuestion = Array("\u{1B}[c".utf8)

    /// The reply that a control sequence is, by what stands between `ESC [` and its last byte.
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

    /// The reply that an operating system command is, by what stands between `ESC ]` and its end.
    init?(operatingSystem content: [UInt8]) {
        let text = String(decoding: content, as: UTF8.self)
        guard text.hasPrefix("11;"), let background = BackgroundColor.background(answer: text.dropFirst(3)) else {
            return nil
        }
        self = .background(background)
    }
}
