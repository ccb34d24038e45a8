/// Reads the overrides in a file to import: an export, an object of keys and values, or an override file.
public enum ImportedValues {
    /// The keys and values of a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - origin: the name of the text in messages, such as its path.
    ///   - clock: the time, at which overrides of an override file may have ended; these are left out.
    /// - Throws: a sentence with the error of the text, or of each entry without a value.
    public static func read(
        _ bytes: [UInt8], from origin: String, at clock: ClockReading
    ) throws(InvalidText) -> FlagTable<String> {
        let entries = try entries(of: bytes, from: origin, at: clock)
        guard entries.issues.isEmpty else {
            let sentences = entries.issues.compactMap { issue in
                if case .unreadable(let sentence) = issue.reason { sentence } else { nil }
            }
            throw InvalidText(sentence: "\(sentences.joined(separator: " ")) Nothing was changed.")
        }
        return entries.values
    }

    /// The keys and values of a text, and its unreadable entries; see ``read(_:from:at:)``.
    ///
    /// - Throws: a sentence with the error of the text as a whole.
    package static func entries(
        of bytes: [UInt8], from origin: String, at clock: ClockReading
    ) throws(InvalidText) -> ImportEntries {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw InvalidText(sentence: "\(origin): \(error.asSentence) Nothing was changed.")
        }
        guard !isDocumentOfFlags(root) else {
            throw InvalidText(
                sentence: "\(origin) lists flags, it is not a file of overrides. Nothing was changed; "
                    + "flagmenu --source \(origin) opens it.")
        }
        guard root.kind == .object else {
            throw InvalidText(
                sentence: "\(origin) must contain a JSON object of keys and values. Nothing was changed.")
        }
        if let rejection = newerFormat(of: root, from: origin) { throw rejection }
        return entries(in: root, from: origin, at: clock)
    }

    private static func entries(in root: JSONValue, from origin: String, at clock: ClockReading) -> ImportEntries {
        let isStore = isOverrideFile(root)
        let members = isStore || isExport(root) ? root["overrides"] ?? root : root
        let ends = isExport(root) ? root["ends"] : nil
        var entries = ImportEntries()
        if isExport(root) { entries.app = root["app"]?.flagText?.string }
        if isStore || isExport(root), let contexts = root["contexts"], contexts.kind == .object {
            entries.contexts = FlagTable(membersOf: contexts) { ContextOverride(reading: $0) }
        }
        if isExport(root) {
            entries.notes = FlagTable(membersOf: root["notes"]) { $0.text?.string }
            entries.lives = FlagTable(membersOf: ends) { life(of: $0) }
        }
        let strangeEnds = FlagTable(membersOf: ends) { life(of: $0) == nil ? $0 : nil }
        for (key, value) in members.members {
            let error: JSONError
            let storedEnd = isStore ? OverrideEnd(reading: value) : nil
            if let end = strangeEnds[key] {
                // Without its end, the override would stay.
                let name = JSONOutput.quoted(key.string, limit: 80)
                error = JSONError(at: end, "The end of \(name) must be a duration such as 2h, or restart")
            } else if let storedEnd, storedEnd.time != nil, storedEnd.hasEnded(at: clock) {
                continue
            } else if let text = isStore ? value["value"]?.flagText : value.flagText, !key.string.isEmpty {
                entries.values[key.string] = text.string
                if isStore {
                    entries.notes[key.string] = value["note"]?.text?.string
                    entries.lives[key.string] = storedEnd.map {
                        OverrideLife(until: $0.corrected(at: clock), at: clock.now)
                    }
                }
                continue
            } else if key.string.isEmpty {
                error = JSONError(at: value, "A key needs at least one character")
            } else {
                error = JSONError(at: value, "\(JSONOutput.quoted(key.string, limit: 80)) has no value")
            }
            entries.issues.append(
                ImportIssue(key: key.string, reason: .unreadable("\(origin): \(error.asSentence)")))
        }
        return entries
    }

    private static func life(of end: JSONValue) -> OverrideLife? {
        end.text.flatMap { OverrideLife(exported: $0.string) }
    }

    /// Whether a text is an override file, of any version; an export is not one.
    package static func isOverrideFile(_ bytes: [UInt8]) -> Bool {
        // `false` for a text that is not JSON, even if it is a damaged override file.
        (try? JSONDocument(parsing: bytes).root).map(isOverrideFile) ?? false
    }

    /// Whether a text is an override file of any version, or an export.
    package static func isOfOverrides(_ bytes: [UInt8]) -> Bool {
        // `false` for a text that is not JSON.
        (try? JSONDocument(parsing: bytes).root).map { isOverrideFile($0) || isExport($0) } ?? false
    }

    /// Whether an object is an export: it has the time of the export and a member with the overrides. The members of
    /// any other object are flags.
    private static func isExport(_ root: JSONValue) -> Bool {
        root["exportedAt"]?.kind == .string && root["overrides"]?.kind == .object
    }

    /// Whether a JSON text is a document with a catalog or a template, which a source reads.
    private static func isDocumentOfFlags(_ root: JSONValue) -> Bool {
        if root.kind == .array { return root.elements.contains { $0["category"] != nil && $0["items"] != nil } }
        return root["parameters"]?.kind == .object || root["parameterGroups"]?.kind == .object
            || root[RemoteDocument.catalogKey] != nil
    }

    private static func isOverrideFile(_ root: JSONValue) -> Bool {
        root["format"]?.kind == .number && root["overrides"]?.kind == .object
    }

    /// The error of an override file with a newer format; `nil` for other files. Only a number in `format` is a
    /// version, because exports write the value of a flag named `format` as a string.
    private static func newerFormat(of root: JSONValue, from origin: String) -> InvalidText? {
        guard let format = root["format"], format.kind == .number, let version = Int(format.source),
            version > 2
        else { return nil }
        return InvalidText(
            sentence: "\(origin) has format \(version) of a newer version; this one reads formats 1 and 2. "
                + "Nothing was changed. Export it again, or quote the number if it is a flag's value.")
    }
}

/// The content of an imported file.
package struct ImportEntries: Sendable, Hashable {
    /// The overrides by key.
    package var values: FlagTable<String> = [:]
    /// Why overrides exist, by key.
    package var notes: FlagTable<String> = [:]
    /// How long overrides are to stay, by key.
    package var lives: FlagTable<OverrideLife> = [:]
    /// The entries without a value or a key.
    package var issues: [ImportIssue] = []
    /// The changes of contexts and conditions by the names of sources; `nil` if the file has none, as a plain object of
    /// keys and values.
    package var contexts: FlagTable<ContextOverride>?
    /// The app that is named in the file; `nil` if there is none.
    package var app: String?

    /// The number of changes.
    package var changeCount: Int { values.count + (contexts ?? [:]).parts.count }

    /// Entries without an issue.
    package init(values: FlagTable<String> = [:], app: String? = nil) { (self.values, self.app) = (values, app) }

    /// The changes of a tester. Empty keys, which a file written by hand may have, are left out, because an import would
    /// reject them.
    ///
    /// - Parameters:
    ///   - evaluations: the open sources, which get their portable names.
    ///   - now: the current time. Ends become durations, because one in the past would mean nothing later.
    package init(
        _ table: OverrideTable, of app: String, evaluations: [SourceEvaluation], at now: FlagTimestamp
    ) {
        let overrides = table.overrides.filter { !$0.key.isEmpty }
        self.init(values: overrides.mapValues(\.value), app: app)
        for (key, override) in overrides {
            notes[key] = override.note
            lives[key] = override.end.map { OverrideLife(until: $0, at: now) }
        }
        if !table.contexts.isEmpty { contexts = table.contexts.renamed(evaluations.portableName) }
    }

    /// The entries with portable names of sources, to be exported again: files of earlier versions have absolute paths.
    package func portable(_ evaluations: [SourceEvaluation]) -> ImportEntries {
        var entries = self
        entries.contexts = contexts?.renamed(evaluations.portableName)
        return entries
    }

    /// The text of an export, which ``ImportedValues`` reads.
    ///
    /// - Parameters:
    ///   - source: where the flags came from, for readers of the file.
    ///   - time: the time of the export.
    package func exported(source: String, at time: FlagTimestamp) -> String {
        let contexts = (contexts ?? [:]).sortedByKey.map { ($0.key, $0.value.json) }
        let notes = notes.sortedByKey.map { ($0.key, JSONOutput.string($0.value)) }
        let ends = lives.sortedByKey.compactMap { key, life in life.exported.map { (key, JSONOutput.string($0)) } }
        let parts = [("contexts", contexts), ("notes", notes), ("ends", ends)].filter { !$0.1.isEmpty }
        return JSONOutput.object(
            [
                ("app", .string(app ?? "")), ("source", .string(source)), ("exportedAt", .string(time.rfc3339)),
                ("overrides", .object(values.sortedByKey.map { ($0.key, .string($0.value)) })),
            ] + parts.map { ($0.0, .object($0.1)) }
        ).text() + "\n"
    }
}

/// An entry of an imported file that cannot be imported as it is.
public struct ImportIssue: Sendable, Hashable {
    /// Why an entry cannot be imported.
    public enum Reason: Sendable, Hashable {
        /// The entry has no value or no key. The sentence names its place in the file.
        case unreadable(String)
        /// No flag has the key. The sentence has the nearest keys; `value` is imported if unknown keys are allowed.
        case unknown(String, value: String)
        /// The entry is a context, and no open source has its name, or several have it. The sentence says so.
        case unknownSource(String)
        /// The value is invalid for the flag. The sentence has the reason.
        case invalid(String)
    }

    /// The entry's key, or the name of a source.
    public let key: String
    /// Why the entry cannot be imported.
    public let reason: Reason

    package init(key: String, reason: Reason) { (self.key, self.reason) = (key, reason) }
}
