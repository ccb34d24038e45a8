import FlagModel
import FlagQueries

/// The changes for a bug report, as Markdown. Values of secret flags are left out.
struct BugReport {
    let state: MenuState

    /// The app, the source, the age of the remote values, a table of all overrides, and a list of the other changes.
    var text: String {
        let target = state.target
        let age = state.remote.fetchedAt.map { ", read \($0.rfc3339) (\($0.age(at: state.now)))" } ?? ", not read yet"
        let scenario = state.changes.scenarioWords.map { ", scenario \($0.inMarkdown)" } ?? ""
        let head = "**\(target.app.inMarkdown)**, source \(target.source.inMarkdown)\(age)\(scenario)"
        let others = contextLines + launchLines
        return ([head, ""] + overrideLines + (others.isEmpty ? [] : [""] + others)).joined(separator: "\n") + "\n"
    }

    /// The table of all overrides with author, time, note and end.
    private var overrideLines: [String] {
        let rows = state.board.values.overrides.sortedByKey.map { "| \(cells($0, $1).joined(separator: " | ")) |" }
        let heading = "| Flag | Override | Without it | Set by | Set at | Note | End |"
        return rows.isEmpty ? ["No flag is overridden."] : [heading, "|---|---|---|---|---|---|---|"] + rows
    }

    private func cells(_ key: String, _ override: FlagOverride) -> [String] {
        let base = state.board.facts(of: FlagText(key)).base
        let baseText = base.map { "\(($0.value?.string ?? "").asCode) (\($0.layer.word))" } ?? "not set"
        let end = override.end.map { end in
            end.words(at: state.now) + (end.time.map { " (\($0.rfc3339))" } ?? "")
        }
        let values = state.isSecret(key) ? ["secret", "secret"] : [override.value.asCode, baseText]
        let notes = [override.setBy?.inMarkdown, override.setAt?.rfc3339, override.note?.inMarkdown, end]
        return [key.asCode] + values + notes.map { $0 ?? "" }
    }

    /// The conditions and attributes that were changed.
    private var contextLines: [String] {
        let evaluations = state.remote.evaluations
        return state.store.table.contexts.renamed(evaluations.portableName).changes(from: [:]).map { change in
            "- \(change.part.source.string.inMarkdown): \(change.part.kind.rawValue) "
                + "\(change.part.name.string.asCode) is \(change.part.shown(change.new).asCode)"
        }
    }

    /// The launch values of this run.
    private var launchLines: [String] {
        state.board.values[.launch].keys.map(\.string).sorted().map { key in
            let value = state.isSecret(key) ? "secret" : (state.board.values.text(of: key, in: .launch) ?? "").asCode
            return "- this run only: \(key.asCode) is \(value)"
        }
    }
}

extension MenuState {
    /// What a shared state of the current changes has: everything but secret flags, contexts and notes.
    var sharedChanges: SharedChanges {
        SharedChanges(
            of: changes, evaluations: remote.evaluations, app: target.app, at: now, secrets: preferences.secrets,
            in: board.catalog)
    }

    /// Whether a flag is secret; see `SecretFlags`.
    fileprivate func isSecret(_ key: String) -> Bool { preferences.secrets.contains(key, in: board.catalog) }
}

extension String {
    /// The text as Markdown code in a table cell. Bars, line breaks and backticks in the text do not end the cell or
    /// the code.
    fileprivate var asCode: String {
        guard !isEmpty else { return "`\"\"`" }
        var fence = "`"
        while contains(fence) { fence += "`" }
        let text = replacing("|", with: "\\|").replacing(/\r\n|\n|\r/, with: " ")
        let gap = hasPrefix("`") || hasSuffix("`") ? " " : ""
        return fence + gap + text + gap + fence
    }

    /// The text on one line, with Markdown's special characters escaped.
    fileprivate var inMarkdown: String {
        replacing(/[\\`*_{}\[\]<>|#]/) { "\\\($0.output)" }.replacing(/\R/, with: " ")
    }
}
