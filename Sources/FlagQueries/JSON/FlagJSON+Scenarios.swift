package import FlagModel

extension FlagJSON {
    /// A scenario in a list.
    ///
    /// - Parameters:
    ///   - plan: the plan to apply it; `nil` if its file cannot be read.
    ///   - table: the current changes.
    package static func scenario(_ file: ScenarioFile, _ plan: ScenarioPlan?, over table: OverrideTable) -> JSONOutput {
        let applied = table.scenario?.name == file.name ? table.scenario : nil
        return .object([
            ("name", .string(file.name)), ("changes", .integer((try? file.content.get())?.changeCount ?? 0)),
            ("applied", .bool(applied != nil)),
            ("deviation", applied == nil ? .null : .integer(table.deviationCount)),
            ("fileChanged", .bool(plan?.hasFileChanged(since: table) ?? false)),
            ("leftOut", leftOut(plan?.leftOut ?? [])),
            ("error", text(file.error)),
        ])
    }

    /// What applying a scenario would change.
    ///
    /// - Parameter revision: that of the changes that the plan was made over.
    package static func preview(_ plan: ScenarioPlan, revision: Int) -> JSONOutput {
        let lines = plan.lines.map { line in
            JSONOutput.object([
                ("key", .string(line.key)), ("now", text(line.now)), ("scenario", text(line.scenario)),
                ("after", text(line.after)),
                ("effect", line.effect == .keep ? .null : .string(line.effect.rawValue)),
                ("additions", .array(line.additions.map(JSONOutput.string))),
            ])
        }
        return .object([
            ("name", .string(plan.name)), ("mode", .string(plan.isReplacing ? "replace" : "add")),
            ("revision", .integer(revision)), ("summary", .string(plan.summary)), ("lines", .array(lines)),
            ("leftOut", leftOut(plan.leftOut)),
        ])
    }

    /// Flags that a change leaves out, each with the reason.
    package static func leftOut(_ flags: [BulkPlan.Exception]) -> JSONOutput {
        .array(flags.map { .object([("key", .string($0.key)), ("reason", .string($0.reason))]) })
    }
}
