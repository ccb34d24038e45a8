import TerminalUI
import TestSupport
import Testing

@Suite struct FrameTests {
    private func drawn(_ columns: Int = 8, _ rows: Int = 1, _ draw: (inout Frame) -> Void) -> Frame {
        var frame = Frame(size: Size(columns: columns, rows: rows))
        draw(&frame)
        return frame
    }

    private func row(_ frame: Frame, _ index: Int = 0) -> String { frame.text(ofRow: index) }

    @Test func `write returns the next column`() {
        var frame = Frame(size: Size(columns: 8, rows: 2))
        #expect(frame.write("ab", at: Position(row: 1, column: 1)) == 3)
        #expect(frame.write("日", at: Position(row: 1, column: 3)) == 5)
        #expect(frame.write("too long", at: Position(row: 1, column: 5)) == 8)
        #expect(row(frame, 1) == " ab日too")
        #expect(frame[1, 3].width == 2)
        #expect(frame[1, 4].isContinuation)
    }

    @Test(arguments: [(0, 0), (3, 3), (99, 8)])
    func `write clips at the limit`(limit: Int, end: Int) {
        var frame = Frame(size: Size(columns: 8, rows: 1))
        #expect(frame.write("abcdefghij", at: Position(row: 0, column: 0), limit: limit) == end)
        #expect(row(frame) == String("abcdefgh".prefix(end)))
    }

    @Test func `drawing outside the frame is ignored`() {
        let frame = drawn { frame in
            frame.write("x", at: Position(row: 1, column: 0))
            frame.write("x", at: Position(row: -1, column: 0))
            frame.write("x", at: Position(row: 0, column: 8))
            frame.write("x", at: Position(row: 0, column: .max))
            frame.fill(Region(row: 3, column: 20, rows: 9, columns: 9), style: .plain.bold())
        }
        #expect(frame == Frame(size: Size(columns: 8, rows: 1)))
        #expect(frame[-1, 99].character == " ")
    }

    @Test func `text left of the frame is clipped`() {
        var frame = Frame(size: Size(columns: 8, rows: 1))
        #expect(frame.write("abcdef", at: Position(row: 0, column: -3)) == 3)
        #expect(row(frame) == "def")
        #expect(frame.write("日x", at: Position(row: 0, column: -1)) == 2)
        #expect(row(frame) == " xf")
    }

    @Test func `clipped wide character becomes spaces`() {
        let frame = drawn(4) { $0.write("abc日", at: Position(row: 0, column: 0)) }
        #expect(row(frame) == "abc")
        let limited = drawn(8) { frame in
            frame.write("zzzzzzzz", at: Position(row: 0, column: 0))
            frame.write("日本", at: Position(row: 0, column: 0), limit: 3)
        }
        #expect(row(limited) == "日 zzzzz")
    }

    @Test(arguments: [(0, "x "), (1, " x")])
    func `overwriting half a wide character clears the other half`(column: Int, expected: String) {
        let written = drawn { frame in
            frame.write("日本", at: Position(row: 0, column: 0))
            frame.write("x", at: Position(row: 0, column: column))
        }
        #expect(row(written) == expected + "本")
        let filled = drawn { frame in
            frame.write("日本", at: Position(row: 0, column: 0))
            frame.fill(Region(row: 0, column: column, rows: 1, columns: 1), style: .plain)
        }
        #expect(row(filled) == "  本")
        let wide = drawn { frame in
            frame.write("日本", at: Position(row: 0, column: 0))
            frame.write("語", at: Position(row: 0, column: 1))
        }
        #expect(row(wide) == " 語")
        #expect((0..<8).map { wide[0, $0].width } == [1, 2, 0, 1, 1, 1, 1, 1])
    }

    @Test func `control characters are escaped`() {
        let frame = drawn(40) { frame in
            frame.write("\u{1B}[2J\u{9B}\r\n\u{202E}\0", at: Position(row: 0, column: 0))
        }
        #expect(row(frame) == "^[[2J<U+009B>^M⏎<U+202E>^@")
    }

    @Test func `ascii frame has ascii borders`() {
        var frame = Frame(size: Size(columns: 12, rows: 3), charset: .ascii)
        frame.drawBorder(Region(row: 0, column: 0, rows: 3, columns: 12))
        frame.write("é", at: Position(row: 1, column: 2))
        #expect((0..<3).map { row(frame, $0) } == ["+----------+", "| e        |", "+----------+"])
    }

    @Test(arguments: [(0, 0), (1, 1), (1, 5), (5, 1), (2, 2)])
    func `border is drawn only if it fits`(columns: Int, rows: Int) {
        let frame = drawn(6, 6) { $0.drawBorder(Region(row: 0, column: 0, rows: rows, columns: columns)) }
        #expect(row(frame) == (columns == 2 ? "┌┐" : ""))
    }

    @Test func `restyle does not change text`() {
        let frame = drawn(6, 2) { frame in
            frame.write("ab日", at: Position(row: 0, column: 0), style: .plain.bold())
            frame.restyle(Region(row: 0, column: 1, rows: 5, columns: 3)) { $0.foreground = .cyan }
        }
        #expect(
            FrameDump.text(frame, cursor: Position(row: 0, column: 2)) == """
                ab日

                ---
                1:1 bold
                1:2-4 bold cyan
                2:2-4 cyan
                cursor 1:3

                """)
    }

    @Test func `drawing works in any size`() {
        for columns in [0, 1, 2, 3, 500] {
            for rows in [0, 1, 2, 200] {
                let frame = drawn(columns, rows) { frame in
                    frame.fill(frame.region, style: .plain.bold())
                    frame.drawBorder(frame.region)
                    frame.write("日本語 text", at: Position(row: 0, column: 1))
                }
                #expect(frame.size == Size(columns: columns, rows: rows))
            }
        }
    }
}
