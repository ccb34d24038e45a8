package import FlagModel

/// What of a tester's changes leaves the machine in a shared state, and what stays.
public struct SharedChanges: Sendable, Equatable {
    /// The overrides, conditions, and what else was asked for.
    package let entries: ImportEntries
    /// The keys of secret flags with an override, which are left out.
    package let secretKeys: [String]
    /// What stays although it is a change, and what may leave although it should not, as sentences; empty if nothing does.
    package let leftOut: [String]

    /// - Parameters:
    ///   - table: the current changes.
    ///   - evaluations: the open sources.
    ///   - app: the app that they are for.
    ///   - now: the time of sharing. Ends become the time that is left, which means something later, too.
    ///   - keys: the keys of overrides that leave alone; empty for all changes.
    ///   - exceptions: the keys of overrides that are left out.
    ///   - withContext: whether the attributes of contexts leave, which may say who the tester is.
    ///   - withNotes: whether notes leave.
    ///   - secrets: which flags are secret, of those in the catalog, too.
    package init(
        of table: OverrideTable, evaluations: [SourceEvaluation], app: String, at now: FlagTimestamp,
        keys: [String] = [], except exceptions: [String] = [], withContext: Bool = false, withNotes: Bool = false,
        secrets: SecretFlags, in catalog: Catalog
    ) {
        var entries = ImportEntries(table, of: app, evaluations: evaluations, at: now)
        let chosen = entries.values.filter {
            (keys.isEmpty || keys.contains($0.key)) && !exceptions.contains($0.key)
        }
        let shared = chosen.filter { !secrets.contains($0.key, in: catalog) }
        secretKeys = chosen.sortedByKey.map(\.key).filter { shared[$0] == nil }
        entries.values = shared
        entries.lives = entries.lives.filter { shared[$0.key] != nil }
        entries.notes = withNotes ? entries.notes.filter { shared[$0.key] != nil } : [:]
        // Named keys are overrides alone.
        let contexts = keys.isEmpty || withContext ? entries.contexts ?? [:] : [:]
        let sharedContexts = contexts.mapValues { context in
            var context = context
            if !withContext { context.members = [] }
            return context
        }.filter { !$0.value.isEmpty }
        entries.contexts = sharedContexts
        self.entries = entries
        let secrets = secretKeys.count.counted("secret flag stays", "secret flags stay")
        let attributeCount = contexts.parts.count - sharedContexts.parts.count
        let attributes = attributeCount.counted("attribute of a context stays", "attributes of contexts stay")
        leftOut =
            (secretKeys.isEmpty ? [] : ["\(secrets) here: \(secretKeys.joined(separator: ", "))."])
            + (attributeCount == 0 ? [] : ["\(attributes) here."])
            + (catalog.items.isEmpty && !shared.isEmpty
                ? ["There is no catalog yet, so nothing is secret that only the catalog marks."] : [])
    }

    /// What leaves, one line each: `express_checkout = true`.
    package var lines: [String] {
        entries.values.sortedByKey.map { key, value in
            let life = entries.lives[key]?.exported.map { $0 == "restart" ? ", until restart" : ", for \($0)" } ?? ""
            let note = entries.notes[key].map { ", note \(JSONOutput.quoted($0, limit: 60))" } ?? ""
            return "\(key) = \(value.orQuotes)\(life)\(note)"
        }
            + (entries.contexts ?? [:]).changes(from: [:]).map {
                "\($0.part.source.string): \($0.part.label) is \($0.part.shown($0.new))"
            }
    }

    /// What leaves and what stays, for one line.
    package var sentence: String {
        let leaving = "\(entries.changeCount.counted("change")): \(lines.joined(separator: ", "))."
        return ([leaving] + leftOut).joined(separator: " ")
    }
}
