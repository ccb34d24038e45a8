import FlagModel
import FlagSourceFile
import TestSupport
import Testing

@Suite struct YAMLTests {
    private func document(_ text: String) throws(DocumentError) -> RemoteDocument {
        try DocumentFormat.document(in: try DocumentFormat.plain(text.bytes, named: "flags.yaml"))
    }

    private func issue(_ text: String) -> String? {
        do throws(DocumentError) {
            _ = try document(text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a plain text is a number, a bool or null only as JSON spells it`() throws {
        let remote = try document(
            """
            a: true
            b: False
            c: on
            d: 01067
            e: 12
            f: 1.50
            g: "12"
            h: ~
            i: !!str 5
            j: 0x1F
            k: |
              two
              lines
            l: 'it''s'
            m: [1, {x: y}]
            n: 2024-01-01
            o: .inf
            """)
        #expect(
            remote.values == [
                "a": "true", "b": "false", "c": "on", "d": "01067", "e": "12", "f": "1.50", "g": "12", "i": "5",
                "j": "0x1F", "k": "two\nlines\n", "l": "it's", "m": #"[1,{"x":"y"}]"#, "n": "2024-01-01", "o": ".inf",
            ])
        #expect(remote.types == ["a": .bool, "b": .bool, "e": .int, "f": .double, "m": .json])
        #expect(RemoteSnapshot(documents: [remote]).catalog.items.count == 15)
    }

    @Test func `variants called on and off keep their names`() throws {
        let remote = try document(
            """
            flags:
              dark:
                state: ENABLED
                variants:
                  on: true
                  off: false
                defaultVariant: off
                targeting:
                  if: [{in: [a, b]}, on]
            """)
        #expect(remote.values == ["dark": "false"])
        #expect(
            remote.notes["dark"]
                == "default variant off; has rules that only flagd evaluates; the default variant is shown")
    }

    @Test func `aliases and merged mappings are written out`() throws {
        let remote = try document(
            """
            base: &base {enabled: true, description: Base}
            flags:
              a: *base
              b:
                <<: *base
                description: B
              c: {<<: [*base, {rollout: 5}]}
            """)
        #expect(remote.values == ["a": "true", "b": "true", "c": "true"])
        #expect(
            remote.catalog?.item("b")?.details == "B" && remote.notes["c"] == #"has "rollout", which is not evaluated"#)
        #expect(remote.issues.map(\.description) == [#""base" beside "flags" was left out"#])
    }

    @Test func `warnings name the line of the YAML`() throws {
        let remote = try document("- category: A\n  items:\n    - key: a\n    - title: b\n\n    - key: a\n")
        #expect(remote.catalog?.items.map(\.key.string) == ["a"])
        #expect(remote.issues.map(\.line) == [4, 6])
    }

    @Test(arguments: [
        ("a: 1\na: 2\n", "line 2, column 1: duplicate key \"a\""),
        ("a: *b\n", "line 1, column 4: the alias \"b\" refers to nothing before it"),
        ("a: &b [*b]\n", "line 1, column 8: the alias \"b\" refers to nothing before it"),
        ("[a]: 1\n", "line 1, column 1: a key that is not a text"),
        ("a: [1\nb: 2\n", "line 2, column 2: this is not well-formed YAML, did not find expected ',' or ']'"),
        ("a: \"\n", "this is not well-formed YAML"), ("a: b: c\n", "this is not well-formed YAML"),
        ("a\n", "the document is a string; expected an object or an array"),
        ("<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n", "merge-conflict markers"),
        ("a: 1\n---\nb: 2\n", "the file has several documents (document 1, document 2); save one of them as a file"),
    ])
    func `an error names what is wrong, and where`(text: String, words: String) throws {
        let issue = try #require(self.issue(text))
        #expect(issue.contains(words), "\(issue)")
    }

    @Test(arguments: [
        "Error: Failed to get Firebase project x. Try again.", "remote.json: No such file or directory\n",
        "# later\nTODO: write flags\n",
    ])
    func `one line of plain text is YAML only in a file of that name`(text: String) throws {
        let error = #expect(throws: DocumentError.self) {
            try DocumentFormat.document(in: try DocumentFormat.plain(text.bytes, named: "a.json"))
        }
        #expect(error?.description == "the document is plain text, not JSON; name another document")
        #expect(try document(text).values.count == 1)
    }

    @Test(arguments: ["dark: true\n", "limit: 5", "a: x\nb: y\n"])
    func `values in YAML need no name`(text: String) throws {
        let remote = try DocumentFormat.document(in: try DocumentFormat.plain(text.bytes, named: "a.txt"))
        #expect(!remote.values.isEmpty)
    }

    @Test func `depth and the size of aliases are limited, and time is linear`() throws {
        let deep = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
        #expect(issue("a: \(deep)")?.contains("nested more than 128 levels deep") == true)
        #expect(issue(String(repeating: "- ", count: 100_000))?.contains("nested more than 128 levels") == true)
        var chain = "a0: &a0 [x]\n"
        for level in 1...200 { chain += "a\(level): &a\(level) [*a\(level - 1)]\n" }
        #expect(issue(chain)?.contains("nested more than 128 levels deep") == true)
        var laughs = "a0: &a0 [lol]\n"
        for level in 1...30 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            laughs += "a\(level): &a\(level) [\(aliases)]\n"
        }
        #expect(issue(laughs)?.contains("the aliases expand to more than 16777216 bytes") == true)
        let many = (0..<20_000).map { "k\($0): &k\($0) {enabled: true}\n" }.joined()
        #expect(try document(many).values.count == 20_000)
    }

    private static let deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: 2}\n"
    private static let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n"
    private static let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: x}\ndata:\n  password: aHVzaA==\n"
    private static let comments = String(repeating: "# a comment\n", count: 300)
    private static let limits = "  limits: |\n    {\n      \"max\": 3\n    }\n"
    private static let flagd = #"{"flags": {"a": {"state": "ENABLED", "variants": {"x": 1}, "defaultVariant": "x"}}}"#
    private static let list =
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: x}\n"
    private static let mapInList = "- apiVersion: v1\n  kind: ConfigMap\n  data:\n    flags.yaml: \"a: true\"\n"

    @Test(
        arguments: [
            (deployment + "---\n" + map + "  other.txt: \"text\"\n  flags.json: |\n    \(flagd)\n", ["a": "1"]),
            (list + mapInList, ["a": "true"]),
            // A resource is found after any number of lines.
            (comments + map + "  flags.json: '{\"a\": true}'\n", ["a": "true"]),
            (map + "  flags.json: '{\"a\": true}'\n---\n" + comments + deployment, ["a": "true"]),
            // Values stay flags beside a text in JSON.
            (map + limits, ["max": "3"]),
            (map + limits + "  dark: \"true\"\n", ["limits": "{\n  \"max\": 3\n}\n", "dark": "true"]),
            // Empty documents are none, and a secret is no config map.
            ("flags:\n  a: true\n---\n", ["a": "true"]), ("---\n# none\n---\nflags:\n  a: true\n", ["a": "true"]),
            (secret + "---\n" + map + "  a: \"1\"\n", ["a": "1"]),
            ("apiVersion: '2'\ndark: true\n", ["apiVersion": "2", "dark": "true"]),
        ] as [(String, [String: String])])
    func `the one document of flags in a file of Kubernetes is read`(text: String, values: [String: String]) throws {
        #expect(try document(text).values == ValueTable(values.map { (FlagText($0), FlagText($1)) }))
    }

    @Test(arguments: [
        ("apiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n", "no document of flags"),
        (secret, "a resource of Kubernetes without data of flags"),
        (list, "a resource of Kubernetes without data of flags"),
        (list + mapInList + mapInList, "several documents (flags.yaml, flags.yaml)"),
    ])
    func `a file of Kubernetes without one document of flags is rejected`(text: String, words: String) throws {
        let issue = try #require(self.issue(text))
        #expect(issue.contains(words), "\(issue)")
    }

    @Test func `the documents of a config map are named`() {
        let two = "apiVersion: v1\nkind: ConfigMap\ndata: {a.json: '{}', b.yaml: 'x: 1'}\n"
        #expect(issue(two) == "the file has several documents (a.json, b.yaml); save one of them as a file")
    }

    @Test(arguments: [
        ("flags.json: '{\"a\": tru}'", "in the entry \"flags.json\", line 1, column "),
        ("flags.json: '{\"a\": 1,}'", "in the entry \"flags.json\", line 1, column 9: JSON has no comments"),
        ("flags.yaml: '{a: '", "in the entry \"flags.yaml\", line "),
    ])
    func `an error in a config map names the entry`(entry: String, start: String) {
        let issue = issue("apiVersion: v1\nkind: ConfigMap\ndata:\n  \(entry)\n")
        #expect(issue?.hasPrefix(start) == true, "\(issue ?? "")")
    }

    @Test(.timeLimit(.minutes(1))) func `many documents, directives and config maps in each other stay small`() {
        #expect(issue(String(repeating: "--- 1\n", count: 100_000))?.contains("documents expand to more than") == true)
        let directives = (0..<50_000).map { "%TAG !x\($0)! a\n" }.joined() + "--- 1\n"
        #expect(issue(directives)?.contains("more than 100 %TAG directives") == true)
        var nested = "a: 1\n"
        for _ in 0..<60 {
            let indented = nested.split(separator: "\n").map { "    \($0)\n" }.joined()
            nested = "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: |\n\(indented)"
        }
        #expect(issue(nested)?.contains("config map") == true)
    }

    @Test func `a text that is not UTF-8 is reported where it is`() {
        let bytes = Array("a: 1\nb: 2\nc: ".utf8) + [0xE9] + Array("\n".utf8)
        let error = #expect(throws: DocumentError.self) { try DocumentFormat.plain(bytes, named: "f.yaml") }
        #expect(error?.description.hasPrefix("line 3, column 4: ") == true, "\(error?.description ?? "")")
    }

    @Test func `a comment before JSON is not a key`() throws {
        let bytes = "//TODO: tidy up\n{\"a\": 1,}".bytes
        #expect(try DocumentFormat.document(in: try DocumentFormat.plain(bytes, named: "f.jsonc")).values == ["a": "1"])
    }

    @Test func `hostile texts do not crash`() {
        var generator = SystemRandomNumberGenerator()
        let pieces = [
            "a", ": ", "\n", "  ", "- ", "&a ", "*a", "[", "]", "{", "}", ", ", "\"", "'", "|\n", "<<: ", "? ",
            "!!str ", "#", "---\n", "\u{0}", "\u{FFFD}", "é", "%YAML 1.2\n", "\t",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...40, using: &generator)).map { _ in pieces.randomElement() ?? "" }
                .joined()
            if let remote = try? document(text) { try? expectRoundTrip(remote, "\(text)") }
        }
    }
}
