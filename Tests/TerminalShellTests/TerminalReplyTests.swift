import TerminalUI
import Testing

@testable import TerminalShell

@Suite struct TerminalReplyTests {
    private func read(_ text: String) -> (keys: [KeyPress], replies: [TerminalReply]) {
        var decoder = KeyDecoder()
        decoder.expectsReplies = true
        return (decoder.read(text.utf8), decoder.drainReplies())
    }

    @Test(
        arguments: [
            ("\u{1B}]11;rgb:0000/0000/0000\u{7}", .background(.dark)),
            ("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\", .background(.light)),
            ("\u{1B}]11;rgb:ff/ff/ff\u{7}", .background(.light)), ("\u{1B}]11;rgb:f/f/f\u{7}", .background(.light)),
            ("\u{1B}]11;rgba:ffff/ffff/ffff/0000\u{7}", .background(.light)),
            ("\u{1B}]11;#fdf6e3\u{7}", .background(.light)), ("\u{1B}]11;#002b36\u{7}", .background(.dark)),
            ("\u{1B}[?62;4c", .attributes), ("\u{1B}[?6c", .attributes),
        ] as [(String, TerminalReply)])
    func `reply is read and produces no keys`(reply: String, expected: TerminalReply) {
        let (keys, replies) = read("j\(reply)k")
        #expect(keys == [.character("j"), .character("k")])
        #expect(replies == [expected])
    }

    @Test(arguments: [
        "\u{1B}]11;?\u{7}", "\u{1B}]11;rgb:12345/0/0\u{7}", "\u{1B}]11;rgb:0/0\u{7}", "\u{1B}]11;rgb:-1/0/0\u{7}",
        "\u{1B}]11;rgb:+1/0/0\u{7}", "\u{1B}]11;\u{7}", "\u{1B}]11;red\u{7}", "\u{1B}]10;rgb:0/0/0\u{7}",
        "\u{1B}]\u{7}",
        "\u{1B}]11;#12\u{7}", "\u{1B}]11;#\u{7}", "\u{1B}[?2004;2$y", "\u{1B}[>1;2c", "\u{1B}P11;rgb:0/0/0\u{1B}\\",
        "\u{1B}]11;rgb:0/0/0\u{18}", "\u{1B}]11;rgb:ffff/ffff/ffff/\(String(repeating: "f", count: 99))x\u{7}",
    ])
    func `other sequences are not replies`(text: String) {
        let (keys, replies) = read(text + "k")
        #expect(keys.last == .character("k"))
        #expect(replies.isEmpty || text.contains("/f"))
        #expect(keys.count == 1)
    }

    /// The last byte of a read may be the escape of a reply; the rest is not a key then.
    @Test func `reply in pieces is joined`() {
        let reply = Array("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?62c".utf8)
        for cut in 1..<reply.count {
            var decoder = KeyDecoder()
            decoder.expectsReplies = true
            #expect(decoder.read(reply[..<cut]) + decoder.read(reply[cut...]) == [], "cut at \(cut)")
            #expect(decoder.drainReplies() == [.background(.light), .attributes])
        }
    }

    @Test func `escape is an immediate key if no reply is expected`() {
        var decoder = KeyDecoder()
        #expect(decoder.feed(.byte(0x1B)) == [] && decoder.pause() == [.escape])
        decoder.expectsReplies = true
        #expect(decoder.feed(.byte(0x1B)) == [] && decoder.pause() == [])
        #expect(decoder.idleLimit == 100)
        #expect(decoder.giveUp() == [.escape])
    }

    /// Black and white text have equal contrast (WCAG) on a grey between #747474 and #767676.
    @Test(arguments: [
        ("rgb:7676/7676/7676", TerminalBackground.light), ("rgb:7474/7474/7474", .dark), ("rgb:0000/0000/ffff", .dark),
        ("rgb:0000/ffff/0000", .light), ("rgb:ffff/0000/0000", .light),
    ])
    func `background is light if dark text is more readable`(reply: String, expected: TerminalBackground) {
        #expect(BackgroundColor.background(reply: reply[...]) == expected)
    }

    @Test(
        arguments: [
            ("15;0", .dark), ("0;15", .light), ("12;default;8", .dark), ("0;7", .light), ("0;default", nil),
            ("15", nil), ("", nil), ("0;16", nil), ("0;-1", nil), (";", nil),
        ] as [(String, TerminalBackground?)])
    func `background is read from the environment`(colors: String, expected: TerminalBackground?) {
        #expect(BackgroundColor.background(environment: colors[...]) == expected)
    }
}
