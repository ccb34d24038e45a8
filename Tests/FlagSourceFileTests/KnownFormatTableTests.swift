import FlagModel
import FlagSourceFile
import Foundation
import TestSupport
import Testing

/// Every format, whole and damaged: it is read, or rejected by name, and never a map of values by mistake.
@Suite struct KnownFormatTableTests {
    private static func outcome(_ text: String, named name: String = "a.json") -> FormatExample.Outcome {
        do throws(DocumentError) {
            let document = try DocumentFormat.document(in: try DocumentFormat.plain(text.bytes, named: name))
            let keys = RemoteSnapshot(documents: [document]).catalog.items.map(\.key.string)
            // Values that may be the flags of an unknown format are listed with a warning.
            let isSilent = document.issues.isEmpty && document.kind == .values
            #expect(!isSilent || !keys.contains("flags"), "\(text)")
            return .read(keys.sorted())
        } catch {
            #expect(!error.description.isEmpty)
            return .rejected(error.description)
        }
    }

    private static func expect(_ outcome: FormatExample.Outcome, _ wanted: FormatExample.Outcome, _ text: String) {
        if case (.rejected(let sentence), .rejected(let part)) = (outcome, wanted) {
            #expect(sentence.contains(part), "\(text)")
        } else {
            #expect(outcome == wanted, "\(text)")
        }
    }

    @Test(arguments: FormatExample.all)
    func `a document is read, or rejected by the name of its format`(example: FormatExample) {
        Self.expect(Self.outcome(example.text), example.outcome, example.text)
    }

    @Test(arguments: FormatExample.all)
    func `a document in YAML is the same`(example: FormatExample) throws {
        let value = try JSONSerialization.jsonObject(with: Data(example.text.utf8))
        for (text, name) in [
            (example.text, "a.yaml"), (Self.yaml(value), "a.txt"), ("# x\n---\n" + Self.yaml(value), "a"),
        ] {
            Self.expect(Self.outcome(text, named: name), example.outcome, text)
        }
    }

    @Test(arguments: FormatExample.all)
    func `a document in an array is rejected by name, or is a list of flags`(example: FormatExample) {
        guard case .rejected(let sentence) = Self.outcome("[\(example.text)]") else {
            Issue.record("\(example.text) was read")
            return
        }
        #expect(sentence.hasPrefix("the document is an array"))
    }

    @Test(arguments: FormatExample.all)
    func `a document without one of its members is never one flag without a warning`(example: FormatExample) throws {
        let value = try JSONSerialization.jsonObject(with: Data(example.text.utf8))
        for smaller in Self.changed(value, Self.withoutOneMember) {
            let data = try JSONSerialization.data(withJSONObject: smaller, options: [.sortedKeys])
            if case .read(let keys) = Self.outcome(String(decoding: data, as: UTF8.self)) {
                let containers: Set = ["data", "features", "flagValues", "parameters", "spec", "splits"]
                #expect(containers.isDisjoint(with: keys), "\(String(decoding: data, as: UTF8.self)): \(keys)")
            }
        }
    }

    @Test(arguments: FormatExample.all)
    func `a document with an empty container is never one flag without a warning`(example: FormatExample) throws {
        let value = try JSONSerialization.jsonObject(with: Data(example.text.utf8))
        for smaller in Self.changed(value, Self.empty) {
            let data = try JSONSerialization.data(withJSONObject: smaller, options: [.sortedKeys])
            _ = Self.outcome(String(decoding: data, as: UTF8.self))
        }
    }

    @Test(arguments: ["", "\n", "\u{FEFF}", "# only a comment\n"])
    func `an empty document is named`(text: String) {
        for name in ["a.json", "a.jsonc", "a.yaml"] {
            Self.expect(Self.outcome(text, named: name), .rejected("the document is empty"), "\(name) \(text)")
        }
    }

    /// The property: what is listed can be exported, imported, and is listed the same.
    @Test(arguments: FormatExample.all)
    func `the values of a document survive an export and an import`(example: FormatExample) throws {
        guard case .read = example.outcome else { return }
        let document = try DocumentFormat.document(in: try DocumentFormat.plain(example.text.bytes, named: "a.json"))
        try expectRoundTrip(document)
    }

    @Test(arguments: FormatExample.all)
    func `damaged bytes do not crash, and what is read survives`(example: FormatExample) throws {
        let pieces = [
            "{", "}", "[", "]", "\"", ",", ":", "null", "//", "/*", "\\", "<", "\n", "- ", "&", "*", "#", "\u{0}", "é",
        ]
        for round in 0..<60 {
            var bytes = example.text.bytes
            for _ in 0...round % 3 {
                let start = Int.random(in: 0...bytes.count)
                let end = min(bytes.count, start + Int.random(in: 0...4))
                bytes.replaceSubrange(start..<end, with: (pieces.randomElement() ?? "").bytes)
            }
            for name in ["a.json", "a.jsonc", "a.yaml", "a.xml"] {
                guard let text = try? DocumentFormat.plain(bytes, named: name),
                    let document = try? DocumentFormat.document(in: text), document.values[""] == nil
                else { continue }
                try expectRoundTrip(document, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    // MARK: damage

    /// The value with one part of it changed, for each part that can be changed.
    private static func changed(_ value: Any, _ changes: (Any) -> [Any]) -> [Any] {
        var deeper: [Any] = []
        if let object = value as? [String: Any] {
            deeper = object.keys.sorted().flatMap { key -> [Any] in
                changed(object[key] ?? NSNull(), changes).map { inner in object.merging([key: inner]) { $1 } }
            }
        } else if let array = value as? [Any], let first = array.first {
            deeper = changed(first, changes).map { [$0] + array.dropFirst() }
        }
        return changes(value) + deeper
    }

    private static func withoutOneMember(_ value: Any) -> [Any] {
        let object = value as? [String: Any] ?? [:]
        return object.keys.sorted().map { key in object.filter { $0.key != key } }
    }

    private static func empty(_ value: Any) -> [Any] {
        value is [String: Any] ? [[String: Any]()] : value is [Any] ? [[Any]()] : []
    }

    /// A value as YAML with one member or element on each line.
    private static func yaml(_ value: Any, indent: String = "") -> String {
        if let object = value as? [String: Any], !object.isEmpty {
            return object.keys.sorted().map { key in
                let member = object[key] ?? NSNull()
                let isContainer = (member as? [String: Any])?.isEmpty == false || (member as? [Any])?.isEmpty == false
                return "\(indent)\(key):"
                    + (isContainer ? "\n" + yaml(member, indent: indent + "  ") : " \(scalar(member))\n")
            }.joined()
        }
        if let array = value as? [Any], !array.isEmpty {
            return array.map { element in "\(indent)-\n" + yaml(element, indent: indent + "  ") }.joined()
        }
        return "\(indent)\(scalar(value))\n"
    }

    private static func scalar(_ value: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }
}

/// Checks that the values of a document are the same after an export as overrides and an import.
func expectRoundTrip(_ document: RemoteDocument, _ comment: Comment? = nil) throws {
    let values = document.values.keys.map { ($0.string, document.values[$0]?.string ?? "") }
    let export = JSONOutput.object([
        ("app", .string("a")), ("exportedAt", .string("2026-01-01T00:00:00Z")),
        ("overrides", .object(values.map { ($0, .string($1)) })),
    ])
    let imported = try ImportedValues.read(
        export.text().bytes, from: "export", at: ClockReading(now: FlagTimestamp(seconds: 0)))
    #expect(ValueTable(imported.map { (key: FlagText($0.key), value: FlagText($0.value)) }) == document.values, comment)
    let board = FlagBoard(snapshot: RemoteSnapshot(documents: [document]), launch: [:], overrides: [:])
    for (key, value) in values {
        guard let facts = board.knownFacts(of: key) else {
            Issue.record("\(key) is not listed")
            continue
        }
        #expect(facts.value == value || !facts.type.accepts(value), comment)
    }
}
