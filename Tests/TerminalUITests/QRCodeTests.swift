import Foundation
import TerminalUI
import TestSupport
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

    @Test(
        .slow,
        arguments: [
            (0, 21), (17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (54, 33), (78, 33), (79, 37), (106, 37),
            (107, 41), (134, 41), (135, 45), (154, 45), (155, 49), (192, 49), (193, 53), (230, 53), (231, 57),
            (271, 57), (272, 61), (321, 61), (322, 65), (367, 65), (425, 69), (458, 73), (520, 77), (586, 81),
            (644, 85), (718, 89), (792, 93), (793, 97), (858, 97),
        ])
    func `a text has the smallest code that it fits`(length: Int, size: Int) {
        #expect(QRCode(String(repeating: "x", count: length))?.size == size)
    }

    /// The capacities of ISO/IEC 18004, table 7.
    @Test(
        .slow,
        arguments: [
            (1, 21), (25, 21), (26, 25), (47, 25), (154, 37), (335, 53), (395, 57), (396, 61), (468, 61), (535, 65),
            (619, 69), (667, 73), (758, 77), (854, 81), (938, 85), (1_046, 89), (1_153, 93), (1_154, 97), (1_249, 97),
        ])
    func `digits, capital letters and some signs take less room`(length: Int, size: Int) {
        #expect(QRCode(String(repeating: "X", count: length))?.size == size)
    }

    /// Reads codes with another program from pictures of the coloured lines on a terminal.
    @Test(
        .slow,
        .enabled(if: InstalledProgram.has("zbarimg"), "zbarimg of zbar-tools is not installed"),
        arguments: [
            ("X", 1), ("A1 $%*+-./:", 25), ("FM1:1", 154), ("Z9", 335), ("FM1:10C.80Y6-P4L", 396), ("K %", 758),
            ("0", 1_249), ("https://flags.example.com/", 100), ("fm1", 272), ("zA", 458), ("x", 858),
        ])
    func `another program reads the codes from the screen`(part: String, length: Int) throws {
        let text = String(String(repeating: part, count: length).prefix(length))
        let code = try #require(QRCode(text))
        let workplace = Workplace()
        workplace.write(Self.picture(code.coloredLines), to: "code.pgm")
        let run = workplace.shell("zbarimg -q --raw -Sdisable -Sqrcode.enable code.pgm")
        #expect(run.text == text + "\n", "\(run.errorText)")
    }

    /// The lines as a picture of a terminal, in the format PGM with numbers.
    private static func picture(_ lines: [String]) -> String {
        let rows = lines.map(blocks).flatMap { line in
            [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
        }
        let scale = 4
        let pixels = rows.flatMap { row in
            let line = row.flatMap { Array(repeating: $0 ? "0" : "9", count: scale) }.joined(separator: " ")
            return Array(repeating: line, count: scale)
        }
        return "P2\n\(rows[0].count * scale) \(pixels.count)\n9\n\(pixels.joined(separator: "\n"))\n"
    }

    @Test func `a text of more than 858 bytes has no code`() {
        #expect(QRCode(String(repeating: "x", count: 859)) == nil)
        #expect(QRCode(String(repeating: "ä", count: 430)) == nil)
        #expect(QRCode(String(repeating: "X", count: 1_250)) == nil)
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
