import FlagModel

extension HistoryRecord {
    /// The record as a line, with the line feed.
    var line: String {
        var members: [(String, JSONOutput)] = [
            ("revision", .integer(revision)), ("base", .integer(base)), ("at", .string(at.rfc3339)),
            ("by", .string(by)), ("action", .string(action)),
        ]
        if let hash { members.append(("hash", .string(hash.spelling))) }
        if let undoes { members.append(("undoes", .integer(undoes))) }
        if let redoes { members.append(("redoes", .integer(redoes))) }
        if let found { members.append(("found", OverrideFile.output(of: found))) }
        members.append(("changes", .array(steps.map(\.output))))
        return Self.onOneLine(JSONOutput.object(members).text(indented: false)) + "\n"
    }

    /// Members kept as they were spelled may bring line feeds along. Between tokens one blank is as good; inside
    /// strings JSON allows none.
    private static func onOneLine(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return json }
        return String(decoding: json.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Reads a line; `nil` for one that is torn or otherwise no record.
    init?(line: some Sequence<UInt8>) {
        guard let root = try? JSONDocument(parsing: Array(line)).root, let head = RecordHead(root) else { return nil }
        self.init(
            revision: head.revision,
            at: head.at,
            by: root["by"]?.text?.string ?? "",
            action: root["action"]?.text?.string ?? "",
            undoes: root["undoes"]?.wholeNumber,
            redoes: root["redoes"]?.wholeNumber,
            base: root["base"]?.wholeNumber ?? head.revision - 1,
            hash: head.hash,
            found: root["found"].map(OverrideFile.entries),
            steps: root["changes"]?.elements.compactMap { StoredChange(reading: $0) } ?? []
        )
    }
}

/// The part of a record that the next writer needs, read without looking at its changes.
struct RecordHead: Sendable {
    let revision: Int
    let at: Timestamp
    let hash: ContentHash?

    /// Reads a line; `nil` for one that is torn or otherwise no record.
    init?(line: some Sequence<UInt8>) {
        guard let root = try? JSONDocument(parsing: Array(line)).root else { return nil }
        self.init(root)
    }

    fileprivate init?(_ root: JSONValue) {
        guard let revision = root["revision"]?.wholeNumber, let text = root["at"]?.text,
            let time = Timestamp(rfc3339: text.string)
        else { return nil }
        self.revision = revision
        at = time
        hash = (root["hash"]?.text).flatMap { ContentHash(spelling: $0.string) }
    }
}

extension StoredChange {
    fileprivate var output: JSONOutput {
        .object([
            ("key", .string(key.string)), ("old", before?.output ?? .null), ("new", after?.output ?? .null),
        ])
    }

    fileprivate init?(reading value: JSONValue) {
        guard let key = value["key"]?.text else { return nil }
        self.init(
            key: key,
            before: value["old"].flatMap { StoredOverride(reading: $0) },
            after: value["new"].flatMap { StoredOverride(reading: $0) }
        )
    }
}

extension JSONValue {
    /// A number that can be a revision.
    fileprivate var wholeNumber: Int? {
        guard kind == .number, let number = Int(source) else { return nil }
        return (0...OverrideFile.revisionLimit).contains(number) ? number : nil
    }
}
