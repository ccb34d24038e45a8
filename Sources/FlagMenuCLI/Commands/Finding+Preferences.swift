import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import Flags

extension Finding {
    /// The user's preferences, and their errors.
    static func configuration(_ settings: Settings) -> Finding {
        let configuration = settings.configuration
        let summary = configuration.path + (configuration.isFilePresent ? "" : ", not found: defaults in use")
        return Finding(
            subject: "config", issues: configuration.issues.map(\.description), summary: summary,
            failure: configuration.issues.isEmpty ? nil : .usage)
    }

    /// Warnings about overrides that may be obsolete. They are not errors, because such an override may be intended.
    static func overrides(in workspace: Workspace) -> Finding {
        let (snapshot, table) = (workspace.remote.snapshot, workspace.store.read().table)
        var board = FlagBoard(snapshot: snapshot, launch: workspace.settings.launch, overrides: table.overrides)
        board.today = SourceClock.system.now().date
        let obsolete = table.overrides.sortedByKey.map(\.key).compactMap { key in
            board.facts(of: FlagText(key)).obsolescence.map { (key: key, reason: $0) }
        }
        return Finding(
            subject: "overrides", issues: obsolete.map { "\(JSONOutput.quoted($0.key, limit: 80)) \($0.reason)." },
            summary: "\(table.overrides.count) active", failure: nil,
            remedies: obsolete.first.map {
                ["flagmenu reset \(JSONOutput.quoted($0.key, limit: 200)) goes back to the remote value."]
            } ?? [])
    }
}

extension FlagFacts {
    /// Why the override may be obsolete, as the end of a sentence; `nil` if nothing suggests that.
    fileprivate var obsolescence: String? {
        switch state {
        case .stale(let reason): return "is stale: \(reason)"
        case .invalid(let reason): return "is invalid: \(reason)"
        case .notSet, .overridden, .sameAsRemote: break
        }
        if let expiry { return "expired on \(expiry)" }
        return state == .sameAsRemote ? "is the same as remote" : nil
    }
}
