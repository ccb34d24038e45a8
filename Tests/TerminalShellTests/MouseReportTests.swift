import TerminalUI
import Testing

@testable import TerminalShell

@Suite struct MouseReportTests {
    private func keys(_ text: String, expectsMouse: Bool = true) -> [KeyPress] {
        var decoder = KeyDecoder()
        decoder.expectsMouse = expectsMouse
        return decoder.read(text.utf8)
    }

    private func mouse(_ kind: MousePress.Kind, _ row: Int, _ column: Int) -> KeyPress {
        .mouse(MousePress(kind, at: Position(row: row, column: column)))
    }

    @Test func `press and wheel are read with their cell`() {
        #expect(keys("\u{1B}[<0;1;1M") == [mouse(.press, 0, 0)])
        #expect(keys("\u{1B}[<0;300;70M\u{1B}[<0;300;70mq") == [mouse(.press, 69, 299), .character("q")])
        #expect(keys("\u{1B}[<64;5;2M\u{1B}[<65;5;2M") == [mouse(.wheelUp, 1, 4), mouse(.wheelDown, 1, 4)])
        // With Shift, Alt and Control.
        #expect(keys("\u{1B}[<28;5;2M") == [mouse(.press, 1, 4)])
    }

    @Test(arguments: [
        "\u{1B}[<1;5;2M", "\u{1B}[<2;5;2M", "\u{1B}[<32;5;2M", "\u{1B}[<0;5;2m", "\u{1B}[<66;5;2M", "\u{1B}[<128;5;2M",
        "\u{1B}[<0;0;2M", "\u{1B}[<0;2;0M", "\u{1B}[<0;-1;2M", "\u{1B}[<0;5M", "\u{1B}[<;;M",
        "\u{1B}[<0;5;2;9M", "\u{1B}[<9999999999999999999999;5;2M", "\u{1B}[<x;5;2M", "\u{1B}[M#!!", "\u{1B}[M   ",
    ])
    func `other and invalid reports are ignored`(report: String) {
        #expect(keys(report + "q").last == .character("q"))
        #expect(!keys(report).contains { if case .mouse = $0 { true } else { false } })
    }

    @Test func `legacy reports are read`() {
        #expect(keys("\u{1B}[M !!q") == [mouse(.press, 0, 0), .character("q")])
        #expect(keys("\u{1B}[M`%\"q") == [mouse(.wheelUp, 1, 4), .character("q")])
    }

    @Test func `report is ignored if the mouse is off`() {
        #expect(keys("\u{1B}[<0;1;1Mq", expectsMouse: false) == [.character("q")])
    }

    @Test func `incomplete report does not swallow keys`() {
        #expect(keys("\u{1B}[M !\u{3}q") == [.control("c"), .character("q")])
        #expect(keys("\u{1B}[M\u{1B}[<0;1;1M") == [mouse(.press, 0, 0)])
        var decoder = KeyDecoder()
        decoder.expectsMouse = true
        #expect("\u{1B}[M !".utf8.flatMap { decoder.feed(.byte($0)) } == [])
        #expect(decoder.idleLimit == 100)
        #expect(decoder.giveUp() == [])
        #expect(decoder.feed(.byte(0x71)) == [.character("q")])
    }
}
