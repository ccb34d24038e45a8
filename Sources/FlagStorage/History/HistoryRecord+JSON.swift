import FlagModel

extension HistoryRecord {
    /// The record as a line, with the line feed.
    var line: [UInt8] {
        let scenario = [steps.scenario?.json].compactMap { $0 }
        let changes = steps.overrides.map(\.json) + steps.contexts.map(\.json) + scenario
        let json = JSONOutput.object(present: [
            ("revision", .integer(revision)), ("base", .integer(base)), ("at", .string(at.rfc3339)),
            ("by", .string(by)), ("action", .string(action)), ("hash", hash.map(JSONOutput.string)),
            ("undoes", undoes.map(JSONOutput.integer)), ("redoes", redoes.map(JSONOutput.integer)),
            ("found", baseEntries.map { OverrideFile.json(of: $0) }),
            ("foundContexts", baseEntries == nil || baseContexts.isEmpty ? nil : baseContexts.json()),
            ("changes", .array(changes)),
        ])
        return Self.onOneLine(Array(json.text(indented: false).utf8)) + [0x0A]
    }

    /// Replaces line breaks by spaces. Unknown members may contain line breaks, but only between tokens, where a space
    /// means the same.
    private static func onOneLine(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return json }
        return json.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
    }

    /// Parses a line; `nil` if it is torn or not a record.
    init?(line: some Sequence<UInt8>) {
        guard let root = try? JSONDocument(parsing: Array(line)).root, let revision = root["revision"]?.revision,
            let time = root["at"]?.text.flatMap({ FlagTimestamp(rfc3339: $0.string) })
        else { return nil }
        var baseContexts: FlagTable<StoredContext> = [:]
        if let found = root["foundContexts"] { _ = baseContexts.add(found) }
        let changes = root["changes"]?.elements.map { $0 } ?? []
        self.init(
            revision: revision,
            at: time,
            by: root["by"]?.text?.string ?? "",
            action: root["action"]?.text?.string ?? "",
            undoes: root["undoes"]?.revision,
            redoes: root["redoes"]?.revision,
            base: root["base"]?.revision ?? revision - 1,
            hash: root["hash"]?.text?.string,
            baseEntries: root["found"].map(OverrideFile.entries), baseContexts: baseContexts,
            steps: StoredChanges(
                overrides: changes.compactMap { StoredChange(reading: $0) },
                contexts: changes.compactMap { ContextPartChange(reading: $0) },
                scenario: changes.lazy.compactMap { StoredChanges.ScenarioChange(reading: $0) }.first)
        )
    }
}

extension StoredChange {
    fileprivate var json: JSONOutput {
        .object([("key", .string(key.string)), ("old", before?.json ?? .null), ("new", after?.json ?? .null)])
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

extension StoredChanges.ScenarioChange {
    /// An element with the name `scenario`, which earlier versions skip.
    fileprivate var json: JSONOutput {
        .object([
            ("scenario", .string(new?.name ?? "")), ("old", old?.json ?? .null), ("new", new?.json ?? .null),
        ])
    }

    fileprivate init?(reading value: JSONValue) {
        guard value["scenario"] != nil else { return nil }
        self.init(
            old: value["old"].flatMap { AppliedScenario(reading: $0) },
            new: value["new"].flatMap { AppliedScenario(reading: $0) })
    }
}

extension ContextPartChange {
    /// The parts of contexts have no `key`, so that earlier versions skip them. A value may be `null`, so a part that is
    /// not changed has no `old` or no `new`.
    fileprivate var json: JSONOutput {
        let values = [("old", old), ("new", new)].compactMap { name, value in value.map { (name, JSONOutput.raw($0)) } }
        return .object(
            [("source", .string(part.source.string)), (part.kind.rawValue, .string(part.name.string))] + values)
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
    var revision: Int? {
        wholeNumber.flatMap { (0...OverrideFile.revisionLimit).contains($0) ? $0 : nil }
    }
}
