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

/// The template of the run's Firebase project.
struct PublishedTemplate {
    /// The project and the namespace, such as `firebase:shop, the template for clients`.
    let title: String
    private let settings: Settings
    private let source: SourceSettings
    private let services: Services
    private let templates: FirebaseTemplates
    /// The last sentence of an error, such as `Nothing was published.`
    private let outcome: String

    /// The template of the only Firebase project among the sources.
    ///
    /// - Throws: an error if the sources contain no Firebase project or several, or the settings of the project are not
    ///   valid or lack a permission.
    init(
        _ settings: Settings, _ services: Services? = nil, outcome: String = "Nothing was published."
    ) throws {
        try settings.requireTrust()
        let sources = settings.sources.filter { $0.kind is FirebaseKind }
        guard let source = sources.first else {
            throw CommandFailure(
                .usage,
                "None of the sources is a Firebase project; name one with --source firebase:PROJECT or in flagmenu.json."
            )
        }
        guard sources.count == 1 else {
            let names = sources.map { ShellCommand.word($0.shown) }.joined(separator: ", ")
            throw CommandFailure(.usage, "Several sources are Firebase projects; name one with --source: \(names).")
        }
        try settings.requireTrust(toSend: FirebaseKind().templateCredentials(source), by: source)
        templates = try FirebaseKind().templates(source)
        (self.settings, self.source, self.outcome) = (settings, source, outcome)
        self.services = services ?? Services(settings.environment)
        let readers = templates.namespace == .client ? "clients" : "servers"
        title = "\(templates.name)\(source.suffix), the template for \(readers)"
    }

    /// Fetches a version.
    ///
    /// - Parameter number: the number of an old version; `nil` for the newest.
    func version(_ number: Int? = nil) throws(CommandFailure) -> TemplateResponse {
        try perform { templates, client throws(SourceError) in try await templates.template(client, version: number) }
    }

    /// Fetches the last `count` versions that Firebase stores, the newest first.
    func versions(count: Int) throws(CommandFailure) -> [TemplateVersion] {
        try perform { templates, client throws(SourceError) in try await templates.versions(client, count: count) }
    }

    /// Sends a request, and prints warnings about the connection, each once.
    private func perform<Value: Sendable>(
        isPublishing: Bool = false,
        _ operation: @escaping @Sendable (FirebaseTemplates, SourceClient) async throws(SourceError) -> Value
    ) throws(CommandFailure) -> Value {
        let (templates, client) = (templates, services.client)
        defer { services.warnings.readNew().forEach(StandardError.warn) }
        do throws(SourceError) {
            return try Waiting.value { () async throws(SourceError) in try await operation(templates, client) }
        } catch {
            // If the response to a request to publish was lost, the draft may have been published.
            let lost: [SourceError.Code] = [.unreachable, .timedOut, .cancelled, .faulty, .malformed, .tooLarge]
            let isLost = isPublishing && lost.contains(error.code)
            let outcome = isLost ? "It may have been published; flagmenu firebase versions shows it." : outcome
            throw CommandFailure(.remote, "\(error.asSentence) \(outcome)".trimmed)
        }
    }
}

// Publishing: shows what would change, validates it with Firebase, and asks.
extension PublishedTemplate {
    /// Makes a draft, and publishes it, unless someone else publishes meanwhile.
    ///
    /// - Parameters:
    ///   - keys: the keys of the values that are published; empty for a whole template.
    ///   - makeDraft: makes the draft from the newest version.
    func publish(
        _ options: PublishingOptions, keys: [String] = [], _ makeDraft: (TemplateResponse) throws -> TemplateDraft
    ) throws {
        let newest = try version()
        let draft = try makeDraft(newest)
        let differences = try draft.differences()
        let changes = JSONOutput.array(differences.map(\.json))
        if settings.isJSON, options.dryRun { JSONOutput.object([("planned", changes)]).print() }
        func end(_ sentence: String, _ published: TemplateResponse? = nil) {
            if settings.isJSON, !options.dryRun {
                let version = published?.template.version?.number.map(JSONOutput.integer) ?? .null
                let publishedChanges = published == nil ? JSONOutput.array([]) : changes
                JSONOutput.object([("published", publishedChanges), ("version", version)]).print()
            }
            settings.printLine(sentence)
        }
        guard !differences.isEmpty else { return end("\(title), has these values already. Nothing was published.") }
        _ = try perform { templates, client throws(SourceError) in
            try await templates.publish(draft, client, isTrial: true)
        }
        // What the user must confirm is printed even with `--quiet`.
        let isPrompting = !options.yes && !options.dryRun
        if isPrompting || !(settings.isQuiet || settings.isJSON) { report(differences, newest, keys) }
        let losses = differences.compactMap(\.loss)
        guard losses.isEmpty || options.replace else {
            throw CommandFailure(
                .usage,
                "This would replace a rollout, experiment or personalization for everybody: \(losses.joined(separator: "; ")). "
                    + "--replace allows that. Nothing was published.")
        }
        guard !options.dryRun else { return end("Firebase would accept it. Nothing was published.") }
        if isPrompting {
            try TerminalPrompt.require(for: "firebase", outcome: outcome)
            guard TerminalPrompt.agreement("Publish this for everybody?") else { return end("Nothing was published.") }
        }
        settings.printLine("Publishing; if this is interrupted, flagmenu firebase versions shows the result.")
        let published = try perform(isPublishing: true) { templates, client throws(SourceError) in
            try await templates.publish(draft, client)
        }
        end(sentence(published, after: newest, keys), published)
    }

    /// Prints the newest version, its differences from the draft, and conditions whose values stay.
    private func report(_ differences: [TemplateDifference], _ newest: TemplateResponse, _ keys: [String]) {
        StandardError.printLine("\(title), \(newest.template.version?.label ?? "of no known version"):")
        for difference in differences {
            StandardError.printLine("  \(difference.sentence)")
            guard !keys.isEmpty, difference.kind == .value, difference.condition == nil,
                let values = newest.template.parameters.first(where: { $0.key == difference.key })?.conditionalValues,
                !values.isEmpty
            else { continue }
            let conditions = values.map { $0.condition.string + ($0.value.form.map { " (\($0))" } ?? "") }
            StandardError.printLine(
                "    If one of these conditions applies, its value stays: \(conditions.joined(separator: ", ")).")
        }
    }

    /// That a version was published, how to undo that, and how to use it here: publishing alone does not change the
    /// remote values on this machine.
    private func sentence(_ published: TemplateResponse, after old: TemplateResponse, _ keys: [String]) -> String {
        let new = published.template.version?.number.map { " as version \($0)" } ?? ""
        let source = settings.areSourcesTyped ? " --source \(ShellCommand.word(source.shown))" : ""
        let undo = old.template.version?.number.map {
            " flagmenu firebase publish --rollback \($0)\(source) undoes it."
        }
        let reset = keys.isEmpty ? "" : " Your overrides stay until flagmenu reset \(keys.joined(separator: " "))."
        return "Published\(new).\(undo ?? "") flagmenu fetch\(source) and flagmenu activate\(source) make it the "
            + "remote value here too.\(reset)"
    }
}

extension TemplateVersion {
    /// The number, time and author, in words.
    var label: String {
        let author = userEmail.map { " by \($0.string)" } ?? ""
        return "version \(number.map(String.init) ?? "?")" + (updatedAt.map { " of \($0.rfc3339)" } ?? "") + author
    }

    /// The cells of a table: number, time, author, and description.
    var cells: [String] {
        let rollback = rollbackSource.map { "restores version \($0)" }
        let notes = [details?.string, rollback].compactMap { $0 }.filter { !$0.isEmpty }
        return [
            number.map(String.init) ?? "?", updatedAt?.rfc3339 ?? "", userEmail?.string ?? origin?.string ?? "",
            notes.joined(separator: "; "),
        ]
    }

    var json: JSONOutput {
        .object([
            ("version", number.map(JSONOutput.integer) ?? .null), ("at", FlagJSON.text(updatedAt?.rfc3339)),
            ("by", FlagJSON.text(userEmail?.string)), ("origin", FlagJSON.text(origin?.string)),
            ("type", FlagJSON.text(type?.string)), ("description", FlagJSON.text(details?.string)),
            ("rollbackSource", rollbackSource.map(JSONOutput.integer) ?? .null),
        ])
    }
}
