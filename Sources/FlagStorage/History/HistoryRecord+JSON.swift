import FlagModel

extension HistoryRecord {
    /// The record as a line, with the line feed.
    var line: [UInt8] {
        var json = JSONBytes(indented: false)
        json.object { json in
            json.member("revision", revision)
            json.member("base", base)
            json.member("at", at.rfc3339)
            json.member("by", by)
            json.member("action", action)
            if let hash { json.member("hash", hash.spelling) }
            if let undoes { json.member("undoes", undoes) }
            if let redoes { json.member("redoes", redoes) }
            writeChanges(to: &json)
        }
        return Self.onOneLine(json.bytes) + [0x0A]
    }

    private func writeChanges(to json: inout JSONBytes) {
        if let baseEntries {
            json.member("found")
            OverrideFile.write(baseEntries, to: &json)
            if !baseContexts.isEmpty {
                json.member("foundContexts")
                baseContexts.write(to: &json)
            }
        }
        json.member("changes")
        json.array { json in
            for change in steps.overrides {
                json.element()
                change.write(to: &json)
            }
            for change in steps.contexts {
                json.element()
                change.write(to: &json)
            }
        }
    }

    /// Replaces line breaks by spaces. Unknown members may contain line breaks, but only between tokens, where a space
    /// means the same.
    private static func onOneLine(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return json }
        return json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }

    /// Parses a line; `nil` if it is torn or not a record.
    init?(line: some Sequence<UInt8>) {
        guard let root = try? JSONDocument(parsing: Array(line)).root, let head = RecordHead(root) else { return nil }
        var baseContexts: FlagTable<StoredContext> = [:]
        if let found = root["foundContexts"] { _ = baseContexts.add(found) }
        let changes = root["changes"]?.elements.map { $0 } ?? []
        self.init(
            revision: head.revision,
            at: head.at,
            by: root["by"]?.text?.string ?? "",
            action: root["action"]?.text?.string ?? "",
            undoes: root["undoes"]?.revision,
            redoes: root["redoes"]?.revision,
            base: root["base"]?.revision ?? head.revision - 1,
            hash: head.hash,
            baseEntries: root["found"].map(OverrideFile.entries), baseContexts: baseContexts,
            steps: StoredChanges(
                overrides: changes.compactMap { StoredChange(reading: $0) },
                contexts: changes.compactMap { ContextPartChange(reading: $0) })
        )
    }
}

/// The part of a record that the next writer needs. The changes of the record are not parsed.
struct RecordHead: Sendable {
    let revision: Int
    let at: FlagTimestamp
    let hash: ContentHash?

    /// Parses a line; `nil` if it is torn or not a record.
    init?(line: some Sequence<UInt8>) {
        guard let root = try? JSONDocument(parsing: Array(line)).root else { return nil }
        self.init(root)
    }

    fileprivate init?(_ root: JSONValue) {
        guard let revision = root["revision"]?.revision, let text = root["at"]?.text,
            let time = FlagTimestamp(rfc3339: text.string)
        else { return nil }
        self.revision = revision
        at = time
        hash = (root["hash"]?.text).flatMap { ContentHash(spelling: $0.string) }
    }
}

extension StoredChange {
    fileprivate func write(to json: inout JSONBytes) {
        json.object { json in
            json.member("key")
            json.string(key)
            for (name, entry) in [("old", before), ("new", after)] {
                json.member(name)
                if let entry { entry.write(to: &json) } else { json.raw("null") }
            }
        }
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

extension ContextPartChange {
    /// The parts of contexts have no `key`, so that earlier versions skip them. A value may be `null`, so a part that is
    /// not changed has no `old` or no `new`.
    fileprivate func write(to json: inout JSONBytes) {
        json.object { json in
            json.member("source")
            json.string(part.source)
            json.member(part.kind.rawValue)
            json.string(part.name)
            for (name, value) in [("old", old), ("new", new)] {
                guard let value else { continue }
                json.member(name)
                json.raw(value)
            }
        }
    }

    fileprivate init?(reading value: JSONValue) {
        guard let source = value["source"]?.text,
            let kind = ContextPart.Kind.allCases.first(where: { value[$0.rawValue] != nil }),
            let name = value[kind.rawValue]?.text
        else { return nil }
        self.init(
            ContextPart(source.string, kind, name.string), old: value["old"]?.compactJSON,
            new: value["new"]?.compactJSON)
    }
}

extension JSONValue {
    /// The whole number, if it is valid as a revision; else `nil`.
    fileprivate var revision: Int? {
        wholeNumber.flatMap { (0...OverrideFile.revisionLimit).contains($0) ? $0 : nil }
    }
}
