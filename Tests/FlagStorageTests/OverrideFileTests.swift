import FlagModel
import Testing

@testable import FlagStorage

@Suite struct OverrideFileTests {
    private func read(_ text: String) -> StoredContent { StoredContent(parsing: Array(text.utf8)) }

    private func sound(_ text: String) throws -> (file: OverrideFile, issues: [String]) {
        guard case .sound(let file, let issues, _) = read(text) else { throw Unreadable(reading: "\(read(text))") }
        return (file, issues)
    }

    private func file(_ text: String) throws -> OverrideFile { try sound(text).file }

    private struct Unreadable: Error { let reading: String }

    /// Texts that are written back unchanged.
    @Test(arguments: [
        """
        {
          "format": 2,
          "revision": 0,
          "overrides": {}
        }

        """,
        """
        {
          "format": 2,
          "revision": 7,
          "overrides": {
            "": {
              "value": ""
            },
            "B": {
              "value": "line\\nbreak \\"quoted\\" \\u202E",
              "setAt": "2026-11-21T10:00:00Z",
              "setBy": "ana"
            },
            "a": {
              "value": "true",
              "note": {"of": [1, 2.50,   3e0]},
              "setAt ": null
            },
            "strange": 42,
            "é": {
              "value": "precomposed"
            },
            "\u{FFE5}": {
              "value": "below the one after it in scalars, above it in UTF-16"
            },
            "😀": {
              "value": "x"
            }
          },
          "team": {"name": "shop",
             "colours": ["red"]},
          "$schema": "https://example.org/x"
        }

        """,
    ])
    func `unknown members stay`(_ text: String) throws {
        #expect(try file(text).text == text)
    }

    @Test func `canonically equal keys are two entries`() throws {
        let text = #"{"overrides": {"\u00e9": {"value": "1"}, "e\u0301": {"value": "2"}}}"#
        let both = try file(text)
        #expect(both.entries.count == 2)
        #expect(try file(both.text).entries == both.entries)
        #expect(both.table.overrides.count == 2)
        #expect(both.table.values["\u{e9}"] == "1" && both.table.values["e\u{301}"] == "2")
    }

    /// Values written by hand, and their texts.
    @Test(arguments: [
        (#""true""#, "true"), ("true", "true"), ("false", "false"), ("42", "42"), ("-1.50", "-1.50"),
        (#"{"a": [1, 2]}"#, #"{"a":[1,2]}"#),
    ])
    func `value without quotes is read as text`(_ value: String, _ text: String) throws {
        #expect(try file(#"{"overrides": {"a": {"value": \#(value)}}}"#).table.values == ["a": text])
    }

    @Test(arguments: ["null", "true", "\"on\"", "[]", "{}", #"{"value": null}"#, #"{"Value": "1"}"#])
    func `entry without a value is reported and stays`(_ entry: String) throws {
        let (file, issues) = try sound("{\n \"overrides\": {\"b\": {\"value\": \"1\"}, \"a\": \(entry)}}")
        #expect(issues == [#"line 2, column 42: the entry "a" has no "value"; it has no effect"#])
        #expect(file.table.values == ["b": "1"])
        #expect(file.text.contains("\"a\": \(entry),\n"))
    }

    /// Each position is searched from the start of the file, so reporting every entry would be slow.
    @Test(.timeLimit(.minutes(1))) func `many entries without a value are summarized`() throws {
        let entries = (0..<20_000).map { "\"\($0)\":\n1" }.joined(separator: ",")
        var (edited, issues) = try sound("{\"overrides\": {\(entries)}}")
        #expect(issues.count == 21 && issues.last == "19980 more entries have no \"value\"; they have no effect")
        edited.apply(
            edited.changes(
                by: (0..<20_000).map { .set(key: "\($0)", value: "1") }, author: "ana",
                at: ClockReading(now: StoreFolder.time)))
        #expect(edited.strangeEntries == [] && edited.entries.count == 20_000)
    }

    @Test func `override replaces the invalid entry of its key`() throws {
        var file = try file(#"{"overrides": {"a": 1, "b": 2}}"#)
        file.apply(
            file.changes(
                by: [.set(key: "a", value: "x"), .clear(key: "b")], author: "ana",
                at: ClockReading(now: StoreFolder.time)))
        #expect(file.table.values == ["a": "x"])
        #expect(file.strangeEntries.map(\.name) == ["b"])
    }

    @Test func `invalid time and author stay until the key is set`() throws {
        var file = try file(#"{"overrides": {"a": {"value": "1", "setAt": "yesterday", "setBy": 7, "memo": "n"}}}"#)
        #expect(file.text.contains("\"setAt\": \"yesterday\",\n      \"setBy\": 7,\n      \"memo\": \"n\"\n"))
        file.apply(
            file.changes(by: [.set(key: "a", value: "2")], author: "ana", at: ClockReading(now: StoreFolder.time)))
        #expect(file.text.contains("\"setBy\": \"ana\",\n      \"memo\": \"n\"\n"))
        #expect(!file.text.contains("yesterday"))
    }

    /// Invalid override files and the positions of their errors.
    @Test(arguments: [
        ("", "line 1, column 1"), ("{", "line 1, column 2"), ("[]", "line 1, column 1: the file is not an object"),
        ("null", "line 1, column 1: the file is not an object"),
        ("{\"overrides\": []}", "line 1, column 15: \"overrides\" is not an object"),
        ("{\n\"format\": \"1\"}", "line 2, column 11: \"format\" is not a positive whole number"),
        ("{\"format\": 0}", "line 1, column 12"), ("{\"format\": 1.5}", "line 1, column 12"),
        ("{\"a\":1,\"a\":2}", "line 1, column 8"), ("{\"overrides\": {}}x", "line 1, column 18"),
        ("\0\0\0\0", "line 1, column 1"), ("{\"overrides\": {\"a\": {\"value\": \"1\"},}}", "line 1"),
    ])
    func `invalid file is rejected with its position`(_ text: String, _ beginning: String) {
        guard case .corrupt(let sentence, _) = read(text) else {
            Issue.record("\(text) was read")
            return
        }
        #expect(sentence.hasPrefix(beginning))
    }

    @Test(arguments: [("7", 7), ("0", 0), ("-1", 0), ("1e3", 0), ("\"7\"", 0), ("9223372036854775807", 0), ("null", 0)])
    func `invalid revision counts as zero`(_ spelled: String, _ revision: Int) throws {
        #expect(try file(#"{"revision": \#(spelled), "overrides": {}}"#).revision == revision)
    }

    @Test func `random edits are read back as written`() throws {
        var random = SystemRandomNumberGenerator()
        let pieces = ["a", "é", "e\u{301}", "\"", "\\", "\n", "\u{1B}[31m", "\u{202E}", "😀", "", "|", "\u{0}"]
        var file = OverrideFile()
        for revision in 1...300 {
            let key = (0..<3).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let edit: OverrideEdit =
                Bool.random(using: &random) ? .set(key: key, value: key + "!") : .clear(key: key)
            file.apply(file.changes(by: [edit], author: key, at: ClockReading(now: StoreFolder.time)))
            file.revision = revision
            #expect(try self.file(file.text) == file)
        }
    }
}

extension OverrideFile {
    /// The bytes of the file as a string.
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
