import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

extension Finding {
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
        case .stale(let reason): return "is stale: \(reason)"
        case .invalid(let reason): return "is invalid: \(reason)"
        case .notSet, .overridden, .sameAsRemote: break
        }
        if let expiry { return "expired on \(expiry)" }
        return state == .sameAsRemote ? "is the same as remote" : nil
    }
}
