package import FlagModel

/// The plan to apply a scenario, to be confirmed: what each change would be, in three columns.
package struct ScenarioPlan: Sendable, Equatable {
    /// One change: of a flag, a condition or an attribute of a context.
    package struct Line: Sendable, Equatable {
        /// What applying the scenario does to a change of the tester.
        package enum Effect: String, Sendable {
            case add, replace, reset
            /// Nothing: the tester has made the same change, or one that stays.
            case keep = ""
        }

        package let key: String
        /// The value in use now.
        package let now: String?
        /// The value in the scenario; `nil` if the scenario does not have the flag.
        package let scenario: String?
        /// The value in use afterwards.
        package let after: String?
        package let effect: Effect
        /// The note and the end that change, in words: `note "BUG-9"`, `ends in 2 h`.
        package var additions: [String] = []
    }

    package let name: String
    /// Whether changes that the scenario does not have are reset.
    package let isReplacing: Bool
    package let lines: [Line]
    /// The entries that do not fit the catalog any more, each with the reason; they are left out.
    package let leftOut: [BulkPlan.Exception]
    /// What is recorded of the scenario when it is applied.
    package let applied: AppliedScenario
    /// The edits that make the changes.
    package let changes: [OverrideEdit]
    /// The edits that make the changes and record that the scenario is applied, as one action.
    package let edits: [OverrideEdit]

    /// The keys of flags that get a value, or have it already.
    package var keysSet: [String] { edits.keysSet(besides: leftOut) }

    /// - Parameters:
    ///   - plan: the checked entries of the scenario's file.
    ///   - table: the current changes.
    ///   - replacing: whether changes that the scenario does not have are reset.
    ///   - facts: returns the facts of the flag with a key.
    package init(
        _ name: String, _ plan: ImportPlan, over table: OverrideTable, replacing: Bool, facts: (String) -> FlagFacts
    ) {
        let bulk = BulkPlan.importing(
            plan, from: name, over: table, replacing: replacing, into: plan.entries.app ?? "", facts: facts)
        let entries = plan.entries
        (self.name, isReplacing, leftOut) = (name, replacing, bulk.exceptions)
        let keys = entries.values.keySet.union(table.overrides.keySet).sorted().map(\.string)
        // The ends of a scenario count from when it is applied. From the earliest time, each differs from an end that
        // an override has, as setting one is always a change.
        let start = ClockReading(now: FlagTimestamp(seconds: 0))
        let result = table.applying(bulk.edits, at: start)
        let flagLines = keys.map { key -> Line in
            let (flag, old, new) = (facts(key), table.overrides[key], result.overrides[key])
            let change = OverrideChange(key: key, old: old, new: new)
            let isSame = !change.isChange
            return Line(
                key: key, now: flag.value, scenario: entries.values[key],
                after: isSame ? flag.value : new?.value ?? flag.valueWithoutOverride,
                effect: isSame ? .keep : old == nil ? .add : new == nil ? .reset : .replace,
                additions: change.additions { $0.words(at: start.now) })
        }
        applied = AppliedScenario(name: name, overrides: entries.values, contexts: entries.contexts ?? [:])
        let (before, wanted, after) = (table.contexts.parts, applied.contexts.parts, result.contexts.parts)
        let partLines = Set(before.keys).union(wanted.keys).sorted().map { part -> Line in
            let (old, new) = (before[part], after[part])
            return Line(
                key: part.label, now: part.shown(old), scenario: wanted[part].map { part.shown($0) },
                after: part.shown(new), effect: old == new ? .keep : old == nil ? .add : new == nil ? .reset : .replace)
        }
        lines = flagLines + partLines
        changes = bulk.edits
        edits = changes + [.applyScenario(applied)]
    }

    /// Whether the scenario is the applied one, but its file has changed since. An entry that left the catalog since is
    /// told by ``leftOut``, and is no change of the file.
    package func hasFileChanged(since table: OverrideTable) -> Bool {
        guard let old = table.scenario, old.name == name else { return false }
        let leftOut = Set(leftOut.map(\.key))
        // A source that is not open is left out by its portable name, which is the end of its path here.
        let oldContexts = old.contexts.filter { entry in
            !leftOut.contains { "/\(entry.key)".hasSuffix("/\($0)") }
        }
        return old.overrides.filter { !leftOut.contains($0.key) } != applied.overrides
            || oldContexts != applied.contexts
    }

    /// What applying does, as a sentence: `Adds 2, replaces 1, resets 1.`
    package var summary: String {
        let verbs: [(Line.Effect, String)] = [(.add, "adds"), (.replace, "replaces"), (.reset, "resets")]
        let parts = verbs.compactMap { effect, verb in
            let count = lines.count { $0.effect == effect }
            return count == 0 ? nil : "\(verb) \(count)"
        }
        return parts.isEmpty ? "Changes nothing." : "\(parts.joined(separator: ", ").capitalized)."
    }
}
