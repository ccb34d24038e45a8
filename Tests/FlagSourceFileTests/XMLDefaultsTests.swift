import FlagModel
import FlagSourceFile
import TestSupport
import Testing

@Suite(.slow) struct XMLDefaultsTests {
    private func list(_ value: String, type: String = "") -> [UInt8] {
        "\(type)<plist><dict><key>a</key>\(value)</dict></plist>".bytes
    }

    @Test(arguments: [
        ("<plist>\r\n<dict>\r\n</plist>", "line 3, column 3: this is not well-formed XML"),
        ("<plist><dict/></plist>\n<plist/>", "line 2, column 1: this is not well-formed XML"),
        ("<plist><dict/><dict/></plist>", "line 1, column 15: <dict> after the property list's dictionary"),
        ("<plist/>", "the property list is empty; expected a dictionary"),
        (
            #"<?xml version="1.0" encoding="KOI8-R"?><plist/>"#,
            "line 1, column 31: unsupported encoding; expected UTF-8"
        ),
    ])
    func `error names line and column`(_ text: String, _ sentence: String) {
        #expect(issue(in: text.bytes) == sentence)
    }

    @Test func `warning names line and column`() throws {
        let text = "<plist><dict>\n<key>ü😀</key>x<colour/><true/></dict></plist>"
        let document = try DocumentFormat.document(in: text.bytes)
        #expect(document.values == ["ü😀": "true"])
        #expect(
            document.issues.map(\.description) == [
                "line 2, column 15: <colour>, which does not belong in a property list, was left out"
            ])
    }

    @Test(arguments: [
        ("<string> a &amp; b </string>", " a & b "), ("<string></string>", ""), ("<string/>", ""),
        ("<false/>", "false"), ("<real>1.50</real>", "1.50"),
    ])
    func `a value is the text between its tags`(element: String, value: String) throws {
        #expect(try defaults(in: list(element)) == ["a": value])
    }

    @Test func `keys keep their order`() throws {
        #expect(try defaults(in: list("<true/> <key>0</key><true/>"))?.keys.map(\.string) == ["a", "0"])
    }

    @Test func `text is read completely`() throws {
        let text = "<string>a\r\nb &lt;<![CDATA[<&amp;>]]>&#x1F600;<!-- no --> ü</string>"
        #expect(try defaults(in: list(text)) == ["a": "a\nb <<&amp;>😀 ü"])
        let long = String(repeating: "ü\n", count: 100_000)
        #expect(try defaults(in: list("<string>\(long)</string>")) == ["a": long])
    }

    @Test func `numbers keep their spelling and are not booleans`() throws {
        let numbers = "<array><true/><integer> 1 </integer><real>1.50E+2</real><integer>0x10</integer></array>"
        #expect(try defaults(in: list(numbers)) == ["a": "[true,1,1.50E+2,16]"])
    }

    @Test(arguments: [("integer", "007", "7"), ("integer", "-0", "0"), ("integer", "0x1F", "31"), ("real", "-0", "-0")])
    func `the type of a number is the declared one`(_ element: String, _ text: String, _ value: String) throws {
        let document = try DocumentFormat.document(in: list("<\(element)>\(text)</\(element)>"))
        #expect(document.values == ["a": value])
        #expect(document.types == ["a": element == "real" ? .double : .int])
    }

    @Test(arguments: ["<integer>x</integer>", "<integer></integer>", "<real>nan</real>"])
    func `a number that is none is left out`(_ number: String) throws {
        let document = try DocumentFormat.document(in: list("\(number)<key>b</key><true/>"))
        #expect(document.values == ["b": "true"])
        #expect(document.issues.count == 1 && document.issues[0].description.contains("is not a number, was left out"))
    }

    @Test(arguments: [
        ("aGk=", "hi"), ("\n\taG\n\tk=\n", "hi"), ("aGlo", "hih"), ("aA==", "h"), ("", ""),
        ("//4=", "//4="), ("aGk", "aGk"), ("a===", "a==="), ("aA==aA==", "aA==aA=="),
    ])
    func `data is decoded if it is text`(_ base64: String, _ value: String) throws {
        #expect(try defaults(in: list("<data>\(base64)</data>")) == ["a": value])
    }

    @Test func `nesting depth is limited`() {
        let levels = JSONDocument.depthLimit
        let arrays = String(repeating: "<array>", count: levels - 1) + String(repeating: "</array>", count: levels - 1)
        #expect(issue(in: list(arrays)) == nil)
        #expect(issue(in: list("<array>\(arrays)</array>"))?.hasSuffix(": nested more than 128 levels deep") == true)
        #expect(issue(in: list(String(repeating: "<array>", count: 100_000))) != nil)
    }

    static let laughs = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }

    @Test(arguments: [
        ("<!ENTITY l0 \"ha\">\(laughs.joined())", "the entity \"l0\" is declared, which is not supported"),
        ("<!ENTITY % p \"ha\">", "the entity \"p\" is declared, which is not supported"),
        ("<!ATTLIST string a CDATA \"ha\">", "the attribute \"a\" is declared, which is not supported"),
        (#"<!ENTITY l9 SYSTEM "file:///etc/hostname">"#, #"the entity "l9" is external, which is not supported"#),
        ("<!ENTITY % p SYSTEM \"file:///etc/hostname\"> %p;", "the entity \"l9\" is unknown"),
    ])
    func `declarations and external entities are rejected`(_ declarations: String, _ sentence: String) {
        let issue = issue(in: list("<string>&l9;</string>", type: "<!DOCTYPE plist [\(declarations)]>"))
        #expect(
            issue?.hasSuffix(": \(sentence)") == true && issue?.hasPrefix("line 1, ") == true, "\(issue ?? "")")
    }

    @Test func `entity of the document type is unknown`() {
        let type = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/p.dtd\">"
        #expect(issue(in: list("<string>x</string>", type: type)) == nil)
        #expect(issue(in: list("<string>&x;</string>", type: type))?.hasSuffix("the entity \"x\" is unknown") == true)
    }

    @Test func `too large document is rejected without reading`() {
        let text = list("<string>\(String(repeating: "x", count: 16 << 20))</string>")
        #expect(issue(in: text) == "the XML has \(text.count) bytes; at most 16777216 are read")
    }
}
