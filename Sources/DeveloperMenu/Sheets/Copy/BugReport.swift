import FlagModel
import FlagQueries

extension MenuState {
    /// The changes for a bug report, as Markdown: the app, the source, the age of the remote values, and a table of all
    /// overrides with author, time, note and end, and a list of the conditions and attributes that were changed and of the launch
    /// values of this run. Values of secret flags are left out.
    var bugReport: String {
        let age = remote.fetchedAt.map { ", read \($0.rfc3339) (\($0.age(at: now)))" } ?? ", not read yet"
        let contextLines = store.table.contexts.changes(from: [:]).map { change in
            "- \(change.part.source.string.inMarkdown): \(change.part.kind.rawValue) "
                + "\(change.part.name.string.asCode) is \(change.part.shown(change.new).asCode)"
        }
        let launchLines = board.values[.launch].keys.map(\.string).sorted().map { key in
            let value = isSecret(key) ? "secret" : (board.values.text(of: key, in: .launch) ?? "").asCode
            return "- this run only: \(key.asCode) is \(value)"
        }
        let rows = board.values.overrides.sortedByKey.map { key, override in
            let base = board.facts(of: FlagText(key)).base
            let baseText = base.map { "\(($0.value?.string ?? "").asCode) (\($0.layer.word))" } ?? "not set"
            let values = isSecret(key) ? ["secret", "secret"] : [override.value.asCode, baseText]
            let cells =
                [key.asCode] + values + [
                    override.setBy?.inMarkdown ?? "",
                    override.setAt?.rfc3339 ?? "", override.note?.inMarkdown ?? "",
                    override.end.map { end in end.words(at: now) + (end.time.map { " (\($0.rfc3339))" } ?? "") } ?? "",
                ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        let heading = "| Flag | Override | Without it | Set by | Set at | Note | End |"
        let table = [heading, "|---|---|---|---|---|---|---|"] + rows
        let scenario = changes.scenarioWords.map { ", scenario \($0.inMarkdown)" } ?? ""
        let others = contextLines + launchLines
        let lines =
            ["**\(target.app.inMarkdown)**, source \(target.source.inMarkdown)\(age)\(scenario)", ""]
            + (rows.isEmpty ? ["No flag is overridden."] : table) + (others.isEmpty ? [] : [""] + others)
        return lines.joined(separator: "\n") + "\n"
    }
}

extension MenuState {
    /// What a shared state of the current changes has: everything but secret flags, contexts and notes.
    var sharedChanges: SharedChanges {
        SharedChanges(of: changes, app: target.app, at: now, secrets: preferences.secrets, in: board.catalog)
    }

    /// Whether a flag is secret; see `SecretFlags`.
    private func isSecret(_ key: String) -> Bool { preferences.secrets.contains(key, in: board.catalog) }
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
