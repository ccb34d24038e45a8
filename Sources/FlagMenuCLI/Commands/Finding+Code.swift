import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags

// The finding of `doctor` about flags in code.
extension Finding {
    /// How many flags or sentences an issue names.
    private static let namedLimit = 8

    /// Where the code of apps, the catalog and the sources do not agree; empty if no app has declared its flags.
    static func code(_ workspace: Workspace) -> [Finding] {
        let (snapshot, reading) = (workspace.remote.snapshot, workspace.settings.apps.read())
        let warnings = reading.warnings
        let rejections = reading.apps.flatMap(\.rejections)
        let declared = snapshot.declared
        guard !declared.isEmpty || !warnings.isEmpty else { return [] }
        let missing = declared.keys.filter { snapshot.isMissingRemotely(FlagText($0)) }
        let undeclared = snapshot.catalog.items.map(\.key).filter(snapshot.isUndeclared).map(\.string)
        let mismatches = snapshot.mismatches.sortedByKey.flatMap(\.value)
        var issues = warnings + rejections.prefix(namedLimit)
        if !missing.isEmpty {
            issues.append(
                "\(missing.count.counted("declared flag has", "declared flags have")) no remote value: "
                    + "\(named(missing, "missing")).")
        }
        if !undeclared.isEmpty {
            issues.append(
                "\(undeclared.count.counted("listed flag is", "listed flags are")) declared by no app: "
                    + "\(named(undeclared, "undeclared")).")
        }
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
        return [
            Finding(
                subject: "code", issues: issues,
                summary: "\(declared.keys.count.counted("flag")) declared by \(programs.joined(separator: ", "))",
                remedies: (rejections.isEmpty ? [] : ["Reset or change the values that apps cannot read."])
                    + (mismatches.isEmpty ? [] : ["Use the same type and default in code, catalog and sources."]))
        ]
    }

    private static func named(_ keys: [String], _ word: String) -> String {
        let more = keys.count - namedLimit
        return keys.prefix(namedLimit).joined(separator: ", ")
            + (more > 0 ? " and \(more) more; flagmenu list --matching is:\(word) lists them" : "")
    }
}

extension RunningApp {
    /// The values that the app cannot read, a sentence each.
    fileprivate var rejections: [String] {
        flags.compactMap { flag in
            flag.use.flatMap { use in use.rejection.map { _ in rejectionSentence(flag.key, use) } }
        }
    }
}
