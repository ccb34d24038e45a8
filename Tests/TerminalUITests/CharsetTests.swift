import Testing

@testable import TerminalUI

@Suite struct CharsetTests {
    /// The width of `●` is ambiguous, that of `日` is not.
    @Test func `east asian locale has unicode text and ASCII symbols`() {
        let charset = Charset.unicodeText
        let symbols = [charset.fullCircle, charset.emptyCircle, charset.bar, charset.verticalLine, charset.ellipsis]
        #expect(symbols.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(DisplayText.safe("日本 é", charset: charset) == "日本 é")
        #expect(DisplayText.width("日本", charset: charset) == 4)
    }
}
