import Testing

@testable import TerminalShell

/// The response of a terminal that is asked how wide a character is.
@Suite struct TerminalLocaleTests {
    @Test(arguments: [
        ("\u{1B}[24;2R", 2, ""), ("\u{1B}[1;3R", 3, ""), ("j\u{1B}[A\u{1B}[7;2Rq", 2, "j\u{1B}[Aq"),
        ("\u{1B}[24;", nil, "\u{1B}[24;"), ("jk", nil, "jk"), ("", nil, ""), ("\u{1B}[R\u{1B}[5;2R", 2, "\u{1B}[R"),
    ])
    func `the response is found among keys, which stay`(input: String, column: Int?, rest: String) {
        var bytes = Array(input.utf8)
        #expect(TerminalLocale.removeColumn(from: &bytes) == column)
        #expect(String(decoding: bytes, as: UTF8.self) == rest)
    }
}
