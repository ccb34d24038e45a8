import Foundation
import TerminalUI
import Testing

/// QR codes: the expected modules are those of another program, the library qrcodegen 1.8.0 for Python.
@Suite struct QRCodeTests {
    private static let link = "login?code=yQ3vT0bKx9LmZa7RpW2sJc5NdF8hGuEe"

    /// A text that fills less than one block.
    @Test func `a code is drawn with a margin`() throws {
        let lines = try #require(QRCode("flagmenu")).textLines.map { $0.replacing(" ", with: ".") }
        #expect(
            lines.joined(separator: "\n") == """
                .........................
                ..█▀▀▀▀▀█.█▄.▄▀.█▀▀▀▀▀█..
                ..█.███.█.█▀█▀█.█.███.█..
                ..█.▀▀▀.█.▄▀█▀█.█.▀▀▀.█..
                ..▀▀▀▀▀▀▀.▀.▀.▀.▀▀▀▀▀▀▀..
                ..█▀.▄▀█▀.▄.▄.█.▄█▄█▀█▀..
                ..▀█▄█▄.▀█▀▄▀▄█▀.▄▀▀.▀▄..
                ..▀.▀▀▀▀▀.▄▄██▄▀▀▀█.▄▄▀..
                ..█▀▀▀▀▀█.▄.▄▀.▄█.█..▀...
                ..█.███.█.▀██.███▀▄▄▄█▄..
                ..█.▀▀▀.█.▄..▄█▀..█.▀....
                ..▀▀▀▀▀▀▀.▀▀▀▀..▀▀▀...▀..
                .........................
                """)
    }

    @Test(arguments: [
        // A usual link.
        ("http://127.0.0.1:7110/\(link)", version4),
        // Has the number of its version, and two blocks.
        ("https://flags.example.com:7110/\(link)&next=\(String(repeating: "a", count: 58))", version7),
        // Has blocks of different lengths, two bytes of length, and letters that are not ASCII.
        ("https://flags.example.com:7110/\(link)&next=\(String(repeating: "ä", count: 86))", version10),
    ])
    func `the modules of a code are those of another program`(text: String, modules: String) throws {
        let code = try #require(QRCode(text))
        let bytes = try #require(Data(base64Encoded: modules, options: .ignoreUnknownCharacters))
        let expected = bytes.flatMap { byte -> [Bool] in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }
        let actual = (0..<code.size * code.size).map { code[$0 / code.size, $0 % code.size] }
        #expect(actual == Array(expected.prefix(actual.count)), "\(code.textLines.joined(separator: "\n"))")
        #expect(bytes.count == (actual.count + 7) / 8)
    }

    // The modules row by row, a bit for each, in base 64.
    private static let version4 = """
        /piwv8EzC1Buiw1Lt0Gatdule8LsEUY5B/qqqv4BbTUA2neJoMglq6SgjUjPOR9uCs+liJ9fKCWIId980fDjYDYVtoGqreZ87TTrtUds
        OKWjQ3s8ub1GQhjqWt0kvM9JR9Cc0kaQ+QBlS0W/kM3qEE32EXupnH+N1YrMkuk+XmMFqhbX/rV6gAA=
        """

    private static let version7 = """
        /g0U00v8FpGNIJBuhkAGtLt1ie2ONdultfxzrsF/1FghB/qqqqqv4AFPG3kA+9d/wlVR68SwWOHpoOr6HtwKIWM1o8ciVyxwQSjYMiOO
        F2+E5sHs2T+MH7W+wnh2xEZfqqgyfOnrjRt8X705fqs1k8f6W/xw+UR3JGOMXKr+qsHrDRddF7EUz58vwh/SRUXWdmHf/2lSOx2JWSE1
        ps0oVwxwmIYML+OHDOgBOMHmXhqAMbZEk2hJ1GGOaKlk+GFCyQt6eRzxqpM1ptm6T/xw+IBtlGOMb/sa6sGrUEdvE9sWur8v5S+V1UeC
        PD0ut2H+fpsFGRQ1uc/sH1xwqQA=
        """

    private static let version10 = """
        /hPcyUlPP8F0R4cx6JBusflDvE/Lt03k5Uhopduo27Pm1NLsFv5nEuQxB/qqqqqqqv4BHIHF6oYA02qJvsAaOxofb2t5eaPqt5Akb4I0
        wglHJbWiJ4jqLCy0EkLPQuJUUUzTsdmT57x/Eh6BGKDisraiQqHtWmfUGLJTprr8kWgx203WYuLHOTp29h+pbtoy/Ep0mT5SRitoV1cW
        Th5c147eYwtI5sg7Hqp/qsYMIyUlGxJsv+EF3iQT9Nkfzvh/5x+g7HI2sSasK+a3CmrJRW4lEDbsWD6ltPpyY+iak255Yg1Tw6B/vqZ9
        ljA/GwFbW9iWzLoUZwr2qqUzT2H6mvpsrYh62948iDImjJEsro5YzN7rp8YZDaWno6CufkxSo3bBAZQGS8cwXYaS2LS6JqaanqWcQcsx
        FTk5CLr/UpaBBvbGWGpPCp3gmoKkatHwpHKHliOLAgzmP0NC/YByWTEn/MZ/rVv6xnCqUE8npFk5Efujse/+9I+F1mkia41VbunOmuws
        aOsFV3zUcx30/qhFN7dtjwA=
        """

    @Test(arguments: [
        (0, 21), (17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (54, 33), (78, 33), (79, 37), (106, 37), (107, 41),
        (134, 41), (135, 45), (154, 45), (155, 49), (192, 49), (193, 53), (230, 53), (231, 57), (271, 57),
    ])
    func `a text has the smallest code that it fits`(length: Int, size: Int) {
        #expect(QRCode(String(repeating: "x", count: length))?.size == size)
    }

    @Test func `a text of more than 271 bytes has no code`() {
        #expect(QRCode(String(repeating: "x", count: 272)) == nil)
        #expect(QRCode(String(repeating: "ä", count: 136)) == nil)
    }

    @Test func `modules outside a code are light`() throws {
        let code = try #require(QRCode("flagmenu"))
        #expect(code[0, 0] && code[0, 20] && code[20, 0])
        #expect(!code[-1, 0] && !code[0, -1] && !code[21, 0] && !code[0, 21])
    }

    @Test func `colored lines are black on white, whatever the colours of the terminal`() throws {
        let code = try #require(QRCode("flagmenu"))
        #expect(code.coloredLines.allSatisfy { $0.hasPrefix(Self.colors) && $0.hasSuffix("\u{1B}[0m") })
        #expect(code.coloredLines.map(Self.blocks) == code.textLines)
        // The upper half of a cell is never a glyph, which could leave a gap at the edge of the cell.
        #expect(code.coloredLines.allSatisfy { !$0.contains("▀") && !$0.contains("█") })
    }

    private static let colors = "\u{1B}[38;5;16;48;5;231m"

    /// A line in colours as the blocks that it looks like.
    private static func blocks(_ line: String) -> String {
        let cells = line.dropFirst(colors.count).dropLast(4)
        return cells.split(separator: "\u{1B}[", omittingEmptySubsequences: false).map { part -> String in
            guard part.hasPrefix("7m") else { return String(part.hasPrefix("27m") ? part.dropFirst(3) : part) }
            return String(part.dropFirst(2)).replacing(" ", with: "█").replacing("▄", with: "▀")
        }.joined()
    }
}
