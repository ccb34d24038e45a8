import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagWorkspace
import Flags

// Findings of `doctor` about flags in code and overrides.
extension Finding {
    /// How many flags or sentences an issue names.
    private static let namedLimit = 8

    /// Where the code of apps, the catalog and the sources do not agree; `nil` if no app has declared its flags.
    static func code(_ workspace: Workspace) -> Finding? {
        let (snapshot, reading) = (workspace.remote.snapshot, workspace.runningApps)
        let declared = snapshot.declared
        guard !declared.isEmpty || !reading.warnings.isEmpty else { return nil }
        let rejections = reading.apps.flatMap { app in
            app.flags.compactMap { flag in
                flag.use.flatMap { $0.rejection == nil ? nil : app.rejectionSentence(flag.key, $0) }
            }
        }
        let missing = declared.keys.filter { snapshot.isMissingRemotely(FlagText($0)) }
        let undeclared = snapshot.catalog.items.map(\.key).filter(snapshot.isUndeclared).map(\.string)
        let mismatches = snapshot.mismatches.sortedByKey.flatMap(\.value)
        var issues = reading.warnings + rejections.prefix(namedLimit)
        issues += named(missing, "missing", "declared flag has", "declared flags have", "no remote value")
        issues += named(undeclared, "undeclared", "listed flag is", "listed flags are", "declared by no app")
        issues += mismatches.prefix(namedLimit)
        if mismatches.count > namedLimit {
            issues.append(
                "\(mismatches.count - namedLimit) more disagreements; flagmenu list --matching is:mismatched lists them."
            )
        }
        let now = SourceClock.system.now()
        let programs = declared.programs.map { program in
            "\(program.name) (\(program.seenAt.map { "last seen \($0.age(at: now))" } ?? "running"))"
        }
        return Finding(
            subject: "code", issues: issues,
            summary: "\(declared.keys.count.counted("flag")) declared by \(programs.joined(separator: ", "))",
            remedies: (rejections.isEmpty ? [] : ["Reset or change the values that apps cannot read."])
                + (mismatches.isEmpty ? [] : ["Use the same type and default in code, catalog and sources."]))
    }

    /// The sentence about flags, if there are any.
    ///
    /// - Parameter word: the condition of a filter that lists them.
    private static func named(
        _ keys: [String], _ word: String, _ singular: String, _ plural: String, _ rest: String
    ) -> [String] {
        guard !keys.isEmpty else { return [] }
        let more = keys.count - namedLimit
        let names = keys.prefix(namedLimit).joined(separator: ", ")
        let others = more > 0 ? " and \(more) more; flagmenu list --matching is:\(word) lists them" : ""
        return ["\(keys.count.counted(singular, plural)) \(rest): \(names)\(others)."]
    }

    /// Warnings about overrides that may be obsolete. They are not errors, because such an override may be intended.
    static func overrides(in workspace: Workspace) -> Finding {
        let overrides = workspace.reading.table.overrides
        let obsolete = overrides.sortedByKey.map(\.key).compactMap { key in
            workspace.factsOfAny(key).obsolescence.map { (key: key, reason: $0) }
        }
        return Finding(
            subject: "overrides", issues: obsolete.map { "\(JSONOutput.quoted($0.key, limit: 80)) \($0.reason)." },
            summary: "\(overrides.count) active",
            remedies: obsolete.prefix(1).map {
                "flagmenu reset \(JSONOutput.quoted($0.key, limit: 200)) goes back to the remote value."
            })
    }
}

extension FlagFacts {
    /// Why the override may be obsolete, as the end of a sentence; `nil` if nothing suggests that.
    fileprivate var obsolescence: String? {
        switch state {
        case .stale(let reason): "is stale: \(reason)"
        case .invalid(let reason): "is invalid: \(reason)"
        case .notSet, .overridden, .sameAsRemote:
            expiry.map { "expired on \($0)" } ?? (state == .sameAsRemote ? "is the same as remote" : nil)
        }
    }
}
