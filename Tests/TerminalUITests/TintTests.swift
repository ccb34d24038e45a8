import TerminalUI
import TestSupport
import Testing

/// Tints: colours that are content of a frame.
@Suite struct TintTests {
    @Test(arguments: [
        (RGB(red: 50, green: 205, blue: 50), Color.green, 77, true),
        (RGB(red: 255, green: 69, blue: 0), .red, 202, false),
        (RGB(red: 0, green: 0, blue: 0), .black, 16, false),
        (RGB(red: 255, green: 255, blue: 255), .white, 231, true),
        (RGB(red: 118, green: 118, blue: 118), .white, 243, false),
        (RGB(red: 8, green: 8, blue: 9), .black, 232, false),
    ])
    func `a colour has its nearest one in every palette`(color: RGB, nearest: Color, index: Int, isLight: Bool) {
        #expect(color.nearestColor == nearest && color.paletteIndex == index && color.isLight == isLight)
    }

    @Test func `the palette index is never one of the 16 theme colours`() {
        for red in stride(from: 0, through: 255, by: 15) {
            for green in stride(from: 0, through: 255, by: 15) {
                for blue in stride(from: 0, through: 255, by: 15) {
                    let color = RGB(red: UInt8(red), green: UInt8(green), blue: UInt8(blue))
                    #expect((16...255).contains(color.paletteIndex))
                }
            }
        }
    }

    @Test func `a tint fills the background behind text, and later drawing covers it`() throws {
        var frame = Frame(size: Size(columns: 10, rows: 2))
        frame.write("[ Go ]", at: Position(row: 1, column: 2))
        frame.tint(Region(row: 1, column: 2, rows: 1, columns: 6), RGB(red: 50, green: 205, blue: 50))
        #expect(
            FrameDump.text(frame) == "\n  [ Go ]\n---\n2:3-8 black on green\ntint 2:3-8 #32CD32\ncursor hidden\n")
        let tint = try #require(frame.tints.first)
        #expect(tint.covers(frame[1, 2], at: Position(row: 1, column: 2)))
        #expect(!tint.covers(frame[1, 1], at: Position(row: 1, column: 1)))
        frame.fill(frame.region, style: .plain)
        #expect(!tint.covers(frame[1, 2], at: Position(row: 1, column: 2)))
    }
}
