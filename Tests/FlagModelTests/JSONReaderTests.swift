import TestSupport
import Testing

@testable import FlagModel

@Suite struct JSONReaderTests {
    @Test(arguments: [
        "null", " true ", "0", "-0", "-1.5e+10", "0e1", "1E400", "\"\"", "[]", "{}", "\u{FEFF}{}", "[[[]],{}]",
        #"{"a":{"a":1}}"#, #"["\u0000\ud83d\ude00\/"]"#, "\"\u{7F}\u{85}\u{2028}é日😀\"", "\t\r\n[1\n,2 ]\n",
        "{\"\u{E9}\":1,\"e\u{301}\":2}",
    ])
    func `accepts valid JSON`(_ text: String) throws {
        _ = try JSONDocument(parsing: text.bytes)
    }

    @Test(arguments: [
        ("", 1, 1, "expected a value, found the end of the text"),
        ("\u{FEFF}", 1, 1, "expected a value, found the end of the text"),
        ("[1,]", 1, 4, "expected a value, found ']'"),
        ("[,1]", 1, 2, "expected a value or ']', found ','"),
        ("[1 2]", 1, 4, "expected ',' or ']', found '2'"),
        ("{\n  \"a\": 1\n  \"b\": 2}", 3, 3, "expected ',' or '}', found '\"'"),
        (#"{"a":1,}"#, 1, 8, "expected a key in double quotes, found '}'"),
        ("{a:1}", 1, 2, "expected a key in double quotes or '}', found 'a'"),
        (#"{"a" 1}"#, 1, 6, "expected ':' after the key, found '1'"),
        ("[1] x", 1, 5, "expected the end of the text, found 'x'"),
        ("[1]\u{A0}", 1, 4, "expected the end of the text, found U+00A0"),
        ("[\u{1B}]", 1, 2, "expected a value or ']', found U+001B"),
        ("[", 1, 2, "expected a value or ']', found the end of the text"),
        (#"["é日😀", x]"#, 1, 9, "expected a value, found 'x'"),
        ("[01]", 1, 3, "a number cannot have a leading zero"),
        ("-", 1, 2, "expected a digit, found the end of the text"),
        ("1.e1", 1, 3, "expected a digit, found 'e'"),
        ("+1", 1, 1, "expected a value, found '+'"),
        ("nul", 1, 1, "expected true, false or null; a string needs double quotes"),
        (#" "abc"#, 1, 2, "unterminated string"),
        ("\"a\nb\"", 1, 3, "a quote is missing at the end of this line"),
        (#""\x""#, 1, 2, #"unknown escape; expected one of \" \\ \/ \b \f \n \r \t \u"#),
        (#""\u12g4""#, 1, 2, #"expected four hexadecimal digits after \u"#),
        (#""\ud800""#, 1, 2, "unpaired surrogate in an escape"),
        (#""\ud800\u0041""#, 1, 2, "unpaired surrogate in an escape"),
        (#""\udc00""#, 1, 2, "unpaired surrogate in an escape"),
        (#"{"a":1,"\u0061":2}"#, 1, 8, #"duplicate key "a""#),
    ])
    func `rejects invalid JSON with its position`(_ text: String, line: Int, column: Int, issue: String) {
        #expect(throws: JSONError(line: line, column: column, issue: issue)) {
            try JSONDocument(parsing: text.bytes)
        }
    }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xC1, 0x81, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22],
            [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0xE6, 0x97, 0x22], [0x22, 0xE6], [0x22, 0xFF, 0x22],
        ] as [[UInt8]])
    func `rejects invalid UTF 8`(_ bytes: [UInt8]) {
        #expect(throws: JSONError(line: 1, column: 2, issue: "invalid UTF-8")) {
            try JSONDocument(parsing: bytes)
        }
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x7D, 0], [0, 0x7B, 0, 0x7D],
        ] as [[UInt8]])
    func `rejects UTF 16 and UTF 32`(_ bytes: [UInt8]) {
        #expect(throws: JSONError(line: 1, column: 1, issue: "the text looks like UTF-16 or UTF-32; expected UTF-8")) {
            try JSONDocument(parsing: bytes)
        }
    }

    @Test func `rejects only depth beyond the limit`() throws {
        func nested(_ depth: Int) -> [UInt8] {
            (String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).bytes
        }
        _ = try JSONDocument(parsing: nested(JSONDocument.depthLimit))
        #expect(throws: JSONError(line: 1, column: 129, issue: "nested more than 128 levels deep")) {
            try JSONDocument(parsing: nested(129))
        }
        #expect(throws: JSONError.self) { try JSONDocument(parsing: nested(100_000)) }
    }

    @Test func `rejects a duplicate among many keys`() throws {
        let keys = (0..<2_000).map { "\"key\($0)\":\($0)" }
        let document = try JSONDocument(parsing: "{\(keys.joined(separator: ","))}".bytes)
        #expect(document.root.count == 2_000)
        #expect(document.root["key1999"]?.source == "1999")
        #expect(throws: JSONError.self) {
            try JSONDocument(parsing: "{\(keys.joined(separator: ",")),\"\\u006bey7\":0}".bytes)
        }
    }

    @Test func `rejects every prefix of a document`() throws {
        let text = #"{"a":[1,-2.5e3,true,null,"x\u00e9\ud83d\ude00é"],"b":{"c":{}}}"#.bytes
        for length in 0..<text.count {
            #expect(throws: JSONError.self) { try JSONDocument(parsing: Array(text.prefix(length))) }
        }
    }
}
