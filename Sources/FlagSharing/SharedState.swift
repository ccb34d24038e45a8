package import FlagModel

/// A tester's changes as one string that can be pasted anywhere.
package struct SharedState: Sendable, Hashable {
    /// The changes, and the app that they are for.
    package var entries: ImportEntries
    /// When the string was made.
    package var madeAt: FlagTimestamp
    /// Who made it; `nil` if nobody says so.
    package var author: String?

    package init(_ entries: ImportEntries, madeAt: FlagTimestamp, author: String? = nil) {
        (self.entries, self.madeAt, self.author) = (entries, madeAt, author)
        // A state without conditions has none, so that replacing all with it resets those here.
        if entries.contexts == nil { self.entries.contexts = [:] }
    }

    /// The string.
    ///
    /// - Throws: a sentence if it would be too long.
    package func text(_ form: SharedForm = .text) throws(InvalidText) -> String {
        try form.encoded(Array(json.text(indented: false).utf8))
    }

    /// From this length on, a file is easier to hand over: some chats cut messages at twice of it.
    package static let suggestedLimit = 1_024

    /// Who made it of what and when, and what it has: `shop, made 2 days ago by Kim: 3 overrides and 1 condition`.
    package func summary(at now: FlagTimestamp) -> String {
        let by = author.map { " by \($0)" } ?? ""
        return "\(entries.app ?? "No app"), made \(madeAt.age(at: now))\(by): \(entries.changeCount.counted("change"))"
    }
}

// The JSON. The names are short, and keys come before values, because similar texts beside each other are compressed
// best.
extension SharedState {
    private var json: JSONOutput {
        let (values, lives) = (entries.values.sortedByKey, entries.lives.sortedByKey)
        func object(_ members: [(String, JSONOutput)]) -> JSONOutput? { members.isEmpty ? nil : .object(members) }
        return .object(present: [
            ("app", entries.app.map(JSONOutput.string)), ("at", .integer(Int(madeAt.seconds))),
            ("by", author.map(JSONOutput.string)),
            ("k", .array(values.map { .string($0.key) })), ("v", .array(values.map { .string($0.value) })),
            ("c", object((entries.contexts ?? [:]).sortedByKey.map { ($0.key, $0.value.json) })),
            ("e", object(lives.compactMap { key, life in life.exported.map { (key, .string($0)) } })),
            ("n", object(entries.notes.sortedByKey.map { ($0.key, .string($0.value)) })),
        ])
    }

    /// Reads the digits of a string after its prefix.
    ///
    /// - Throws: why they cannot be read, as a sentence.
    init(reading text: ArraySlice<UInt8>, as form: SharedForm) throws(InvalidText) {
        let json = try form.decoded(text)
        guard let root = try? JSONDocument(parsing: json).root else { throw .unknownState }
        let (keys, values) = (Self.texts(root["k"]), Self.texts(root["v"]))
        guard let seconds = root["at"]?.wholeNumber, Self.times.contains(seconds), keys.count == values.count,
            keys.count == root["k"]?.count ?? 0, values.count == root["v"]?.count ?? 0, !keys.contains("")
        else { throw .unknownState }
        var entries = ImportEntries(app: root["app"]?.text?.string)
        for (key, value) in zip(keys, values) { entries.values[key] = value }
        entries.contexts = FlagTable(membersOf: root["c"]) { ContextOverride(reading: $0) }
        entries.lives = FlagTable(membersOf: root["e"]) { $0.text.flatMap { OverrideLife(exported: $0.string) } }
        // Without its end, an override would stay for ever.
        guard entries.lives.count == root["e"]?.count ?? 0 else { throw .unknownState }
        entries.notes = FlagTable(membersOf: root["n"]) { $0.text?.string }
        self.init(
            entries, madeAt: FlagTimestamp(seconds: Int64(seconds)), author: root["by"]?.text?.string)
    }

    /// The times of the years 1970 to 9999. Differences of them do not overflow.
    private static let times = 0...253_402_300_799

    private static func texts(_ array: JSONValue?) -> [String] {
        array.map { $0.kind == .array ? $0.elements.compactMap { $0.text?.string } : [] } ?? []
    }
}
