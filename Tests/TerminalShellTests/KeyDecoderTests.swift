import TerminalUI
import Testing

@testable import TerminalShell

@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [KeyPress] { keys(Array(text.utf8)) }

    private func keys(_ bytes: [UInt8]) -> [KeyPress] {
        var decoder = KeyDecoder()
        return decoder.read(bytes)
    }

    @Test(
        arguments: [
            ("aé日👍", [.character("a"), .character("é"), .character("日"), .character("👍")]),
            ("\r\n\t\u{7F}\u{8} ", [.enter, .enter, .tab, .backspace, .backspace, .character(" ")]),
            (
                "\0\u{1}\u{1A}\u{1C}\u{1F}",
                [.control("@"), .control("a"), .control("z"), .control("\\"), .control("_")]
            ),
            ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}x", [.escape, .character("x")]),
            ("\u{1B}b", [.alt("b")]),
            ("\u{1B}[1;5Aq", [.character("q")]), ("\u{1B}[Iq\u{1B}[<0;1;1Mq", [.character("q"), .character("q")]),
            ("\u{1B}OZq", [.character("q")]), ("\u{1B}]11;rgb:0/0/0\u{7}q", [.character("q")]),
            ("\u{1B}]0;x\u{1B}\\q\u{1B}P1$r\u{1B}\\q", [.character("q"), .character("q")]),
            ("\u{9B}q", [.character("q")]),
        ] as [(String, [KeyPress])])
    func `keys are read and unknown sequences ignored`(input: String, expected: [KeyPress]) {
        #expect(keys(input) == expected)
    }

    @Test(
        arguments: [[0xFF, 0x61], [0xC3, 0x61], [0xC0, 0x80, 0x61], [0xED, 0xA0, 0x80, 0x61], [0x80, 0x80, 0x61]]
            as [[UInt8]])
    func `invalid UTF 8 is skipped`(bytes: [UInt8]) {
        #expect(keys(bytes) == [.character("a")])
    }

    @Test func `character in pieces is joined`() {
        var decoder = KeyDecoder()
        for byte in Array("👍".utf8).dropLast() {
            #expect(decoder.feed(.byte(byte)) == [])
            #expect(decoder.pause() == [])
        }
        #expect(decoder.feed(.byte(0x8D)) == [.character("👍")])
    }

    @Test(arguments: [
        ("q\u{1B}[Ax", "q\u{1B}[Ax"), ("a\rb\r\nc\nd", "a\nb\nc\nd"), ("", ""),
        ("\u{1B}[20\u{1B}[201", "\u{1B}[20\u{1B}[201"),
    ])
    func `paste is one key press`(sent: String, text: String) {
        var decoder = KeyDecoder()
        #expect(decoder.feed(.pasteStart) == [])
        #expect(decoder.isPasting)
        let keys = Array((sent + "\u{1B}[201~q").utf8).flatMap { decoder.feed(.byte($0)) }
        #expect(keys == [.paste(text), .character("q")])
        #expect(!decoder.isPasting)
    }

    /// A cut paste would differ from the copied text.
    @Test func `paste above one mebibyte is rejected`() {
        for (count, key) in [
            (1 << 20, KeyPress.paste(String(repeating: "a", count: 1 << 20))), ((1 << 20) + 1, .oversizedPaste),
        ] {
            var decoder = KeyDecoder()
            _ = decoder.feed(.pasteStart)
            for _ in 0..<count { _ = decoder.feed(.byte(0x61)) }
            let keys = Array("\u{1B}[201~q".utf8).flatMap { decoder.feed(.byte($0)) }
            #expect(keys == [key, .character("q")])
            _ = decoder.feed(.pasteStart)
            #expect(Array("x\u{1B}[201~".utf8).flatMap { decoder.feed(.byte($0)) } == [.paste("x")])
        }
    }

    /// Every beginning of a sequence that can stay incomplete.
    static let beginnings = [
        "\u{1B}P", "\u{1B}]", "\u{1B}_", "\u{1B}^", "\u{1B}X", "\u{1B}[", "\u{1B}[<", "\u{1B}O", "\u{1B}]52;c;",
        "\u{1B}P\u{1B}",
    ]

    @Test(arguments: beginnings)
    func `control c interrupts an incomplete sequence`(beginning: String) {
        #expect(keys(beginning + "\u{3}q").suffix(2) == [.control("c"), .character("q")])
    }

    @Test(arguments: beginnings)
    func `incomplete sequence times out`(beginning: String) {
        var decoder = KeyDecoder()
        _ = decoder.read(beginning.utf8)
        if beginning != "\u{1B}X" { #expect(decoder.idleLimit == 100) }
        _ = decoder.giveUp()
        #expect(decoder.idleLimit == nil)
        #expect(decoder.feed(.byte(0x71)) == [.character("q")])
    }

    @Test(
        arguments: [
            ("\u{1B}P", [.escape, .character("P")]), ("\u{1B}[", [.escape, .character("[")]),
            ("\u{1B}O", [.escape, .character("O")]), ("\u{1B}_", [.escape, .character("_")]),
            ("\u{1B}Pjx", []), ("\u{1B}[1;5", []), ("\u{1B}]0;x\u{1B}", [.escape]),
        ] as [(String, [KeyPress])])
    func `timed out sequence becomes escape and the letter`(input: String, expected: [KeyPress]) {
        var decoder = KeyDecoder()
        #expect(decoder.read(input.utf8) == [])
        #expect(decoder.giveUp() == expected)
    }

    @Test(arguments: ["\u{1B}Pabc\u{18}q", "\u{1B}[1\u{1A}q", "\u{1B}]0;x\u{1B}[1;5Aq", "\u{1B}[1\u{1B}[2Aq"])
    func `cancel or the next sequence ends an incomplete one`(input: String) {
        #expect(keys(input) == [.character("q")])
    }

    @Test(arguments: ["P", "]", "_", "^", "["])
    func `sequence length is limited`(opening: String) {
        let digits = String(repeating: "1", count: 70_000)
        #expect(keys("\u{1B}\(opening)\(digits)q").last == .character("q"))
        // A reply of usual length is read completely.
        #expect(keys("\u{1B}]52;c;\(digits.prefix(50_000))\u{7}q") == [.character("q")])
    }

    @Test(arguments: [("\u{1B}Pab", [KeyPress.up]), ("\u{1B}", [.escape, .up])])
    func `named key ends an incomplete sequence`(beginning: String, keys: [KeyPress]) {
        var decoder = KeyDecoder()
        _ = beginning.utf8.flatMap { decoder.feed(.byte($0)) }
        #expect(decoder.feed(.key(.up)) == keys)
        #expect(decoder.feed(.byte(0x71)) == [.character("q")])
    }

    @Test(arguments: [("", ""), ("one\rtwo", "one\ntwo"), ("one\u{1B}[201", "one\u{1B}[201"), ("\u{3}", "\u{3}")])
    func `unfinished paste times out with its text`(sent: String, text: String) {
        var decoder = KeyDecoder()
        _ = decoder.feed(.pasteStart)
        #expect(decoder.read(sent.utf8) == [])
        #expect(decoder.idleLimit == 1_000)
        #expect(decoder.giveUp() == [.paste(text)])
        #expect(decoder.feed(.byte(3)) == [.control("c")])
        // The next paste does not contain the text of this paste.
        _ = decoder.feed(.pasteStart)
        let next = "x\u{1B}[201~".utf8.flatMap { decoder.feed(.byte($0)) }
        #expect(next == [.paste("x")])
    }

    /// A read of `pasteReadLimit` bytes never takes bytes after the paste, which ncurses must read.
    @Test func `paste does not end before its read limit`() {
        var decoder = KeyDecoder()
        _ = decoder.feed(.pasteStart)
        var sent = Array("a\u{1B}\u{1B}[2\u{1B}[201\u{1B}[201~".utf8)[...]
        while decoder.isPasting {
            let read = sent.prefix(decoder.pasteReadLimit)
            #expect(!read.isEmpty)
            let keys = read.map { decoder.feed(.byte($0)) }
            #expect(Array(keys.dropLast().joined()) == [])
            sent = sent.dropFirst(read.count)
        }
        #expect(sent.isEmpty)
    }

    @Test(arguments: [("\u{1B}[H$<5>x", "\u{1B}[Hx"), ("$<2/>", ""), ("$", "$"), ("a$<", "a$<")])
    func `restore sequence omits delays`(capability: String, sent: String) {
        #expect(RestoreSequence.withoutPadding(Array(capability.utf8)) == Array(sent.utf8))
    }
}

extension KeyDecoder {
    /// The keys of bytes that arrive together, with a pause after them.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [KeyPress] { bytes.flatMap { feed(.byte($0)) } + pause() }
}
