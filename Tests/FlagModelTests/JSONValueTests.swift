import TestSupport
import Testing

@testable import FlagModel

@Suite struct JSONValueTests {
    @Test func `values convert to flag texts`() throws {
        let text = #"{"s":"a\tb","n":1.50,"t":true,"f":false,"z":null,"o":{ "a b" : [ 1 , "\" ]" ] },"c":[1]}"#
        let root = try JSONDocument(parsing: text.bytes).root
        let values = root.members.map { "\($0.key)=\($0.value.flagText?.string ?? "-")" }
        #expect(values == ["s=a\tb", "n=1.50", "t=true", "f=false", "z=-", #"o={"a b":[1,"\" ]"]}"#, "c=[1]"])
        #expect(root.members.map(\.value.kind) == [.string, .number, .bool, .bool, .null, .object, .array])
        #expect(root["t"]?.bool == true && root["f"]?.bool == false && root["s"]?.bool == nil)
        #expect(root["o"]?.source == #"{ "a b" : [ 1 , "\" ]" ] }"#)
        #expect(root["s"]?.source == #""a\tb""#)
        #expect(root["nosuch"] == nil)
    }

    @Test func `columns count unicode scalars`() throws {
        let root = try JSONDocument(parsing: "\u{FEFF}[\"日😀\",\n  {\"a\": 1}]".bytes).root
        let places = root.elements.map { "\($0.position)" }
        #expect(places == ["(line: 1, column: 2)", "(line: 2, column: 3)"])
    }

    @Test func `document in a string has its own positions`() throws {
        let plain = try JSONDocument(parsing: #"[0, "[1, [2, 3]]"]"#.bytes).root
        let inner = try JSONDocument(parsing: try #require(Array(plain.elements)[1].text))
        #expect(inner.root.elements.map { $0.source } == ["1", "[2, 3]"])
        #expect(Array(inner.root.elements)[1].position == (1, 5))
        let escaped = try JSONDocument(parsing: #"["{\n \"a\":\"\\u00e9\", x}"]"#.bytes).root
        let text = try #require(escaped.elements.first { _ in true }?.text)
        #expect(throws: JSONError(line: 2, column: 16, issue: "expected a key in double quotes, found 'x'")) {
            try JSONDocument(parsing: text)
        }
    }

    @Test(arguments: [
        (#""a\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t""#, "aé😀\n\"\\/\u{8}\u{C}\r\t"),
        (#""0123456789abcdef\u0041ghijklmnop""#, "0123456789abcdefAghijklmnop"), (#""""#, ""),
    ])
    func `escapes are decoded on access`(_ source: String, _ text: String) throws {
        let value = try #require(try JSONDocument(parsing: source.bytes).root.text)
        #expect(value.string == text)
        #expect(value == FlagText(text) && value.hashValue == FlagText(text).hashValue)
    }
}

@Suite struct FlagTextTests {
    @Test func `texts are compared by bytes`() {
        #expect(FlagText("é") != FlagText("e\u{301}"))
        #expect(FlagText("a") < "b" && FlagText("a") < "aa" && FlagText("") < "a" && FlagText("Z") < "a")
        #expect(FlagText("").isEmpty && FlagText("").string == "")
        #expect(MemoryLayout<FlagText>.size == 16 && MemoryLayout<FlagText?>.size == 16)
    }
}

@Suite struct JSONOutputTests {
    @Test func `compact and indented layout`() {
        let value = JSONOutput.object([
            ("a", .array([.integer(1), .bool(true), .null])), ("b", .object([])), ("c", .raw("1.50")),
            ("d", .array([])),
        ])
        #expect(value.text(indented: false) == #"{"a":[1,true,null],"b":{},"c":1.50,"d":[]}"#)
        #expect(
            value.text() == """
                {
                  "a": [
                    1,
                    true,
                    null
                  ],
                  "b": {},
                  "c": 1.50,
                  "d": []
                }
                """)
    }

    @Test(arguments: [
        ("\u{1B}[2J", #""\u001B[2J""#), ("\u{9B}m", #""\u009Bm""#), ("\u{7F}", #""\u007F""#), ("\r\n\t", #""\r\n\t""#),
        ("\u{202E}\u{2066}", #""\u202E\u2066""#), ("\u{200B}\u{FEFF}", #""\u200B\uFEFF""#), ("\u{2028}", #""\u2028""#),
        ("\u{E0041}", #""\uDB40\uDC41""#), ("\u{FFFF}\u{1FFFE}", #""\uFFFF\uD83F\uDFFE""#), ("日é😀\"\\", #""日é😀\"\\""#),
    ])
    func `control characters of terminals are escaped`(_ text: String, _ written: String) throws {
        #expect(JSONOutput.string(text).text() == written)
        #expect(try JSONDocument(parsing: written.bytes).root.text?.string == text)
    }
}
