package import FlagModel

/// What of a tester's changes leaves the machine in a shared state, and what stays.
public struct SharedChanges: Sendable, Equatable {
    /// What a tester asks for.
    package struct Choice: Sendable, Equatable {
        /// The keys of the overrides; `nil` for all of them.
        package var keys: [String]?
        /// The keys of overrides that are left out.
        package var exceptions: [String] = []
        /// Whether the attributes of contexts leave, which may say who the tester is.
        package var hasContext = false
        /// Whether notes leave.
        package var hasNotes = false

        package init(keys: [String]? = nil) { self.keys = keys }
    }

    /// The overrides, conditions, and what else was asked for.
    package let entries: ImportEntries
    /// The keys of secret flags with an override, which are left out.
    package let secretKeys: [String]
    /// How many attributes of contexts stay, because nobody asked for them.
    private let attributeCount: Int
    /// Whether the catalog, which may mark secret flags, is known.
    private let hasCatalog: Bool

    /// - Parameters:
    ///   - table: the current changes.
    ///   - app: the app that they are for.
    ///   - now: the time of sharing. Ends become the time that is left, which means something later, too.
    ///   - hasCatalog: whether the catalog, which may mark secret flags, is known.
    ///   - isSecret: whether a flag is secret.
    package init(
        of table: OverrideTable, app: String, at now: FlagTimestamp, _ choice: Choice = Choice(),
        hasCatalog: Bool = true, isSecret: (String) -> Bool
    ) {
        self.hasCatalog = hasCatalog
        var entries = ImportEntries(table, of: app, at: now)
        func isChosen(_ key: String) -> Bool {
            choice.keys?.contains(key) ?? true && !choice.exceptions.contains(key)
        }
        secretKeys = entries.values.sortedByKey.map(\.key).filter { isChosen($0) && isSecret($0) }
        func isShared(_ key: String) -> Bool { isChosen(key) && !isSecret(key) }
        entries.values = entries.values.filter { isShared($0.key) }
        entries.lives = entries.lives.filter { isShared($0.key) }
        entries.notes = choice.hasNotes ? entries.notes.filter { isShared($0.key) } : [:]
        // Named keys are overrides alone.
        let hasConditions = choice.keys == nil || choice.hasContext
        let contexts = (entries.contexts ?? [:]).mapValues { context in
            var shared = hasConditions ? context : ContextOverride()
            if !choice.hasContext { shared.members = [] }
            return shared
        }.filter { !$0.value.isEmpty }
        entries.contexts = contexts.isEmpty ? nil : contexts
        attributeCount = hasConditions ? table.contexts.parts.count - contexts.parts.count : 0
        self.entries = entries
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

    /// What stays although it is a change, and what may leave although it should not, as sentences; empty if nothing does.
    package var leftOut: [String] {
        let secrets = secretKeys.count.counted("secret flag stays", "secret flags stay")
        let attributes = attributeCount.counted("attribute of a context stays", "attributes of contexts stay")
        return (secretKeys.isEmpty ? [] : ["\(secrets) here: \(secretKeys.joined(separator: ", "))."])
            + (attributeCount == 0 ? [] : ["\(attributes) here."])
            + (hasCatalog || entries.values.isEmpty
                ? [] : ["There is no catalog yet, so nothing is secret that only the catalog marks."])
    }
}
