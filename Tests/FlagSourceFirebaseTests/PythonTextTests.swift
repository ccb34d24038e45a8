import Testing

@testable import FlagSourceFirebase

@Suite struct PythonTextTests {
    @Test(arguments: [
        (5.0, "5.0"), (0.1, "0.1"), (-0.0, "-0.0"), (1e15, "1000000000000000.0"),
        (9_999_999_999_999_998, "9999999999999998.0"),
        (1e16, "1e+16"), (1.2e16, "1.2e+16"), (1e-4, "0.0001"), (1e-5, "1e-05"), (-1.5e-7, "-1.5e-07"),
        (1e300, "1e+300"),
        (.leastNonzeroMagnitude, "5e-324"), (123_456_789.125, "123456789.125"), (.infinity, "inf"),
        (-.infinity, "-inf"), (.nan, "nan"),
    ])
    func aNumberIsWrittenAsPythonWritesIt(number: Double, text: String) {
        #expect(PythonText.repr(number) == text)
    }

    @Test(
        arguments: [
            ("5", 5), (" 5.\t", 5), (".5", 0.5), ("1_000", 1000), ("+1e3", 1000), ("1e999", .infinity),
            ("-inf", -.infinity),
            ("\u{A0}\u{FF15}", 5), ("1__0", nil), ("_1", nil), ("1_.5", nil), ("1e", nil), (".", nil), ("", nil),
            ("0x10", nil),
            ("\u{1C}5", nil), ("5\0", nil), ("infinit", nil), ("5 5", nil),
        ] as [(String, Double?)])
    func aTextIsReadAsPythonReadsIt(text: String, number: Double?) {
        #expect(PythonNumber.double(text) == number)
    }

    @Test func whiteSpaceAtTheEndsIsUnicodes() {
        #expect(PythonText.stripped("\u{1C}\u{2003} a b\u{3000}\n") == Array("a b".unicodeScalars))
        #expect(PythonText.stripped("\u{200B}") == Array("\u{200B}".unicodeScalars))
    }
}
