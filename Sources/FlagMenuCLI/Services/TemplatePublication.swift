import ArgumentParser
import FlagFormats
import FlagModel
import FlagQueries
import FlagRemote
import FlagSourceFirebase
import FlagWorkspace

/// The options of commands that publish a template.
struct PublishingOptions: ParsableArguments {
    @Option(
        name: .customLong("description"),
        help: ArgumentHelp("The description in the list of versions.", valueName: "text"))
    var details: String?

    @Flag(help: "Replace rollouts, experiments and personalizations too, which ends or changes them for everybody.")
    var replace = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Only validate it, and show what would change.")
    var dryRun = false
}

/// Publishes a draft of a template: shows what would change, validates it with Firebase, and asks.
struct TemplatePublication {
    let template: PublishedTemplate
    let settings: Settings
    let options: PublishingOptions
    /// The keys of the values that are published; empty for a whole template.
    var keys: [String] = []
    /// The project, if the user has named one that need not be a source of this run.
    var project: String?

    /// Makes a draft, and publishes it, unless someone else publishes meanwhile.
    ///
    /// - Parameter makeDraft: makes the draft from the newest version.
    func publish(_ makeDraft: (TemplateResponse) throws -> TemplateDraft) throws {
        let newest = try template.version()
        let draft: TemplateDraft
        do {
            draft = try makeDraft(newest)
        } catch let error as TemplateDraft.DraftError {
            throw CommandFailure(.noMatch, "\(error) Nothing was published.")
        }
        let differences = try template.differences { () throws(DocumentError) in try draft.differences() }
        guard !differences.isEmpty else {
            return end(nil, [], "\(template.title), has these values already. Nothing was published.")
        }
        try template.check(draft)
        report(differences, newest)
        try requireAgreement(to: differences)
        if options.dryRun { return end(nil, differences, "Firebase would accept it. Nothing was published.") }
        guard try confirm("Publish this for everybody?") else { return end(nil, [], "Nothing was published.") }
        let published = try template.publish(draft)
        end(published, differences, sentence(published, after: newest) + nextStep)
    }

    /// Prints the newest version, its differences from the draft, and conditions whose values stay. If the user must
    /// confirm the draft, prints them even with `--quiet`.
    private func report(
        _ differences: [TemplateDifference], _ newest: TemplateResponse
    ) {
        let isPrompting = !options.yes && !options.dryRun
        guard isPrompting || !(settings.isQuiet || settings.isJSON) else { return }
        StandardError.printLine("\(template.title), \(newest.template.version?.label ?? "of no known version"):")
        for difference in differences {
            StandardError.printLine("  \(difference.sentence)")
            guard !keys.isEmpty, case .value(let key, nil, _, _) = difference else { continue }
            let parameter = newest.template.parameters.first { $0.key == key }
            let conditions = (parameter?.conditionalValues ?? []).map { conditional in
                conditional.condition.string + (conditional.value.form.map { " (\($0))" } ?? "")
            }
            guard !conditions.isEmpty else { continue }
            StandardError.printLine(
                "    If one of these conditions applies, its value stays: \(conditions.joined(separator: ", ")).")
        }
    }

    /// Throws an error if a rollout, experiment or personalization would be replaced without `--replace`.
    private func requireAgreement(to differences: [TemplateDifference]) throws(CommandFailure) {
        let losses = differences.compactMap(\.loss)
        guard !losses.isEmpty, !options.replace else { return }
        if options.dryRun, settings.isJSON { json(nil, differences).print() }
        throw CommandFailure(
            .usage,
            "This would replace a rollout, experiment or personalization for everybody: \(losses.joined(separator: "; ")). "
                + "--replace allows that. Nothing was published.")
    }

    /// Prints the result.
    ///
    /// - Parameters:
    ///   - response: the response with the published template; `nil` if nothing was published.
    ///   - differences: the published changes, or the planned changes of a dry run.
    private func end(
        _ response: TemplateResponse?, _ differences: [TemplateDifference], _ sentence: String
    ) {
        if settings.isJSON { json(response, differences).print() }
        settings.printLine(sentence)
    }

    private func json(_ response: TemplateResponse?, _ differences: [TemplateDifference]) -> JSONOutput {
        let list = JSONOutput.array(differences.map(\.json))
        guard !options.dryRun else { return .object([("planned", list)]) }
        let version = response?.template.version?.number.map(JSONOutput.integer)
        return .object([("published", list), ("version", version ?? .null)])
    }

    private func sentence(_ published: TemplateResponse, after old: TemplateResponse) -> String {
        let new = published.template.version?.number.map { " as version \($0)" } ?? ""
        let source = project.map { " --source \(ShellCommand.word("firebase:\($0)"))" } ?? ""
        let undo =
            old.template.version?.number.map { " flagmenu firebase publish --rollback \($0)\(source) undoes it." } ?? ""
        return "Published\(new).\(undo)"
    }

    /// The sentence about the next step: publishing alone does not change the remote values on this machine.
    private var nextStep: String {
        guard project == nil else { return "" }
        let fetch = " flagmenu fetch and flagmenu activate make it the remote value here too"
        return keys.isEmpty
            ? "\(fetch)."
            : "\(fetch). Your overrides stay until flagmenu reset \(keys.joined(separator: " "))."
    }

    /// Whether the user confirms, or `--yes` is set.
    ///
    /// - Throws: an error if the user cannot be prompted.
    private func confirm(_ prompt: String) throws -> Bool {
        guard !options.yes else { return true }
        try TerminalPrompt.require(
            for: "firebase \(keys.isEmpty ? "push" : "publish")", outcome: "Nothing was published.")
        return TerminalPrompt.agreement(prompt)
    }
}
