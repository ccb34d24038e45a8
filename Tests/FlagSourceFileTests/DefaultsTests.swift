import FlagModel
import FlagSourceFile
import TestSupport
import Testing

@Suite struct DefaultsTests {
    @Test(arguments: ["defaultsMap", "defaults"])
    func `android defaults map is read`(_ root: String) throws {
        let text =
            "<?xml version=\"1.0\"?><!-- c --><\(root)><entry><key>a</key><value>1 &lt; 2</value></entry>"
            + "<entry><key>b</key><value/></entry></\(root)>"
        #expect(try defaults(in: text.bytes) == ["a": "1 < 2", "b": ""])
    }

    @Test(arguments: [
        ("<map/>", "the root element is <map>; expected <plist> or <defaultsMap>"),
        ("<plist><array/></plist>", "the property list is an array; expected a dictionary"),
        ("<plist><string>x</string></plist>", "the property list is a single value; expected a dictionary"),
        ("<plist><dict>", "this is not well-formed XML"),
        (
            "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><a>&e;</a>",
            "the root element is <a>; expected <plist> or <defaultsMap>"
        ),
    ])
    func `malformed XML error names line and column`(_ text: String, _ sentence: String) throws {
        let found = try #require(issue(in: text.bytes))
        #expect(found.hasSuffix(": \(sentence)") && found.hasPrefix("line 1, column "), "\(found)")
    }

    @Test(arguments: [
        (
            "<plist>\n <dict>\n  <true/>%</dict></plist>",
            "line 3, column 10: a value without a key before it was left out"
        ),
        ("<plist><dict><key>x</key>%</dict></plist>", "line 1, column 32: the key \"x\" without a value was left out"),
        ("<plist><dict>%<key>x</key></dict></plist>", "line 1, column 53: the key \"x\" without a value was left out"),
        (
            "<plist><dict>%<key>a</key><true/></dict></plist>",
            "line 1, column 60: duplicate key \"a\"; the first is used"
        ),
        (
            "<plist><dict><colour><string>x</string></colour>%</dict></plist>",
            "line 1, column 14: <colour>, which does not belong in a property list, was left out"
        ),
        (
            "<plist><dict><array><true/></array>%</dict></plist>",
            "line 1, column 28: a value without a key before it was left out"
        ),
    ])
    func `an incomplete entry of a property list is left out`(_ text: String, _ issue: String) throws {
        let text = text.replacing("%", with: "<key>a</key><real>10</real>")
        let document = try DocumentFormat.document(in: text.bytes)
        #expect(document.values == ["a": "10"] && document.types == ["a": .double])
        #expect(document.issues.map(\.description) == [issue])
    }

    @Test func `an incomplete entry of a defaults map is left out`() throws {
        let entries = ["<key>x</key>", "<value>1</value>", "", "<value>1</value><key>a</key>"]
        let text = "<defaultsMap>\(entries.map { "<entry>\($0)</entry>" }.joined(separator: "\n"))</defaultsMap>"
        let document = try DocumentFormat.document(in: text.bytes)
        #expect(document.values == ["a": "1"])
        #expect(document.issues.map(\.line) == [1, 2, 3])
    }

    @Test(
        arguments: [
            ("<key>a</key><value>1</value><value>2</value>", "2", ["the first of two values of an entry was left out"]),
            (
                "<key>a</key><value>1</value></entry><entry><key>a</key><value><b>2</b>3</value>", "1",
                [
                    "<b>, which does not belong in a map of defaults, was left out",
                    "duplicate key \"a\"; the first is used",
                ]
            ),
        ] as [(String, String, [String])])
    func `what an entry of a defaults map has too much is left out`(
        _ entry: String, _ value: String, _ sentences: [String]
    ) throws {
        let document = try DocumentFormat.document(in: "<defaults><entry>\(entry)</entry></defaults>".bytes)
        #expect(document.values == ["a": value])
        #expect(document.issues.map(\.sentence) == sentences)
    }

    @Test(arguments: [
        ("d.json", #"{"a": true, "b": null}"#), ("d.yaml", "a: true\nb: ~\n"), ("d.yaml", "a: true\nb:\n"),
        ("d.json", #"{"flags": {"a": true, "b": null}}"#),
    ])
    func `defaults without a value are listed`(_ name: String, _ text: String) throws {
        let bytes = try DocumentFormat.plain(text.bytes, named: name)
        let snapshot = RemoteSnapshot(documents: [], defaults: try DocumentFormat.defaults(in: bytes).values)
        #expect(snapshot.catalog.items.map(\.key.string) == ["a", "b"] && snapshot.defaults == ["a": "true"])
    }

    @Test func `declared types of defaults are kept`() throws {
        let json = try DocumentFormat.defaults(in: #"{"a": 1.0, "b": 2, "c": "2", "d": null}"#.bytes).values
        #expect(json.types == ["a": .double, "b": .int] && json == ["a": "1.0", "b": "2", "c": "2"])
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", "the document is a web page, such as a login; name the document itself"),
        (
            "<<<<<<< HEAD\n<plist/>\n=======\n",
            "the document is a file with merge-conflict markers of Git; resolve the conflict first"
        ),
    ])
    func `files of other kinds are named`(_ text: String, _ sentence: String) {
        #expect(issue(in: text.bytes) == sentence)
    }
}
