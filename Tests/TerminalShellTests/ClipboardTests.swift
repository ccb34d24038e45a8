import TerminalUI
import Testing

@testable import TerminalShell

@Suite struct ClipboardTests {
    private let xterm = TerminalAbilities(name: "xterm-256color", hasMouse: true)
    private let limit = 74_994

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
        ("\u{FB}\u{3FF}\u{10FFFF}", "w7vPv/SPv78="),
    ])
    func `sequence has the text in base 64`(text: String, expected: String) {
        #expect(Clipboard.sequence(for: text, .none) == Array("\u{1B}]52;c;\(expected)\u{7}".utf8))
    }

    @Test func `too long text is rejected`() {
        let text = String(repeating: "x", count: limit)
        #expect(Clipboard.reply(to: text, xterm) == .sent)
        #expect(Clipboard.sequence(for: text, .none).count == 100_000)
        #expect(Clipboard.reply(to: text + "x", xterm) == .tooLong(limit: limit))
    }

    @Test(arguments: [
        ("xterm-256color", true, false, false, ClipboardReply.sent), ("tmux-256color", true, true, false, .sentToTmux),
        ("screen-256color", true, true, true, .sentToTmux), ("screen", true, false, true, .sent),
        ("xterm-256color", true, true, true, .sent), ("linux", true, false, false, .unsupported),
        ("vt100", false, false, false, .unsupported),
    ])
    func `reply names destination`(name: String, hasMouse: Bool, inTmux: Bool, inScreen: Bool, expected: ClipboardReply)
    {
        let abilities = TerminalAbilities(name: name, hasMouse: hasMouse, isInTmux: inTmux, isInScreen: inScreen)
        #expect(Clipboard.reply(to: "x", abilities) == expected)
    }

    @Test func `sequence for screen is split`() {
        let text = String(repeating: "abc", count: 200)
        let wrapped = String(decoding: Clipboard.sequence(for: text, .screen), as: UTF8.self)
        let pieces = wrapped.split(separator: "\u{1B}\\")
        #expect(pieces.count == 4)
        #expect(pieces.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 254 })
        let plain = String(decoding: Clipboard.sequence(for: text, .none), as: UTF8.self)
        #expect(pieces.map { $0.dropFirst(2) }.joined() == plain)
        #expect(plain.hasPrefix("\u{1B}]52;c;YWJj") && plain.hasSuffix("\u{7}"))
    }
}
