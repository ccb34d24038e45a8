import FlagFormats
import FlagModel
import FlagQueries
import FlagRemote
import FlagSourceFirebase
import FlagWorkspace

/// The template of the run's Firebase project, for publishing.
struct PublishedTemplate {
    /// The project and the namespace, such as `firebase:shop, the template for clients`.
    let title: String
    private let templates: FirebaseTemplates
    private let services: Services
    /// The last sentence of an error, such as `Nothing was published.`
    private let outcome: String

    /// The template of the only Firebase project among the sources.
    ///
    /// - Throws: an error if the sources contain no Firebase project or several, or the settings of the project are not
    ///   valid.
    init(
        _ settings: Settings, _ services: Services, outcome: String = "Nothing was published."
    ) throws(CommandFailure) {
        let source = try Self.source(settings)
        (self.services, self.outcome) = (services, outcome)
        try settings.requireTrust(toSend: FirebaseKind().templateCredentials(source), by: source)
        templates = try CommandFailure.converting(to: .remote) { () throws(SourceError) in
            try FirebaseKind().templates(source)
        } sentence: {
            $0.asSentence
        }
        let readers = templates.namespace == .client ? "clients" : "servers"
        title = "\(templates.name)\(source.suffix), the template for \(readers)"
    }

    private static func source(_ settings: Settings) throws(CommandFailure) -> SourceSettings {
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
        return source
    }

    /// Fetches a version.
    ///
    /// - Parameter number: the number of an old version; `nil` for the newest.
    func version(_ number: Int? = nil) throws(CommandFailure) -> TemplateResponse {
        try perform(unpublished) { templates, client throws(SourceError) in
            try await templates.template(client, version: number)
        }
    }

    /// Fetches the last `count` versions that Firebase stores, the newest first.
    func versions(count: Int) throws(CommandFailure) -> [TemplateVersion] {
        try perform({ $0.asSentence }) { templates, client throws(SourceError) in
            try await templates.versions(client, count: count)
        }
    }

    /// Returns differences, or throws the error of a text that is not a template.
    func differences(
        _ differences: () throws(DocumentError) -> [TemplateDifference]
    ) throws(CommandFailure) -> [TemplateDifference] {
        try CommandFailure.converting(to: .remote, differences) { "\(title): \($0.asSentence) \(outcome)" }
    }

    /// Validates a draft with Firebase, without publishing it.
    func check(_ draft: TemplateDraft) throws(CommandFailure) {
        _ = try perform(unpublished) { templates, client throws(SourceError) in
            try await templates.publish(draft, client, isTrial: true)
        }
    }

    /// Publishes a draft as the newest version.
    func publish(_ draft: TemplateDraft) throws(CommandFailure) -> TemplateResponse {
        try Interruption.reporting(duringPublication: { () throws(CommandFailure) in
            try perform(unclear) { templates, client throws(SourceError) in
                try await templates.publish(draft, client)
            }
        })
    }

    /// Sends a request, and prints warnings about the connection, each once.
    ///
    /// - Parameter describe: maps an error to sentences.
    private func perform<Value: Sendable>(
        _ describe: (SourceError) -> String,
        _ operation: @escaping @Sendable (FirebaseTemplates, SourceClient) async throws(SourceError) -> Value
    ) throws(CommandFailure) -> Value {
        let (templates, client) = (templates, services.client)
        defer { services.warnings.readNew().forEach(StandardError.warn) }
        return try CommandFailure.converting(to: .remote) { () throws(SourceError) in
            try Waiting.value { () async throws(SourceError) in try await operation(templates, client) }
        } sentence: {
            describe($0)
        }
    }

    /// The sentences for an error after which nothing is published.
    private func unpublished(_ error: SourceError) -> String { "\(error.asSentence) \(outcome)" }

    /// The sentences for an error of a publish request. If the response was lost, the draft may have been published.
    private func unclear(_ error: SourceError) -> String {
        let isLost = [.unreachable, .timedOut, .cancelled, .faulty, .malformed, .tooLarge].contains(error.code)
        return isLost
            ? "\(error.asSentence) It may have been published; flagmenu firebase versions shows it."
            : unpublished(error)
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

    /// The version as JSON.
    var json: JSONOutput {
        .object([
            ("version", number.map(JSONOutput.integer) ?? .null), ("at", FlagJSON.text(updatedAt?.rfc3339)),
            ("by", FlagJSON.text(userEmail?.string)), ("origin", FlagJSON.text(origin?.string)),
            ("type", FlagJSON.text(type?.string)), ("description", FlagJSON.text(details?.string)),
            ("rollbackSource", rollbackSource.map(JSONOutput.integer) ?? .null),
        ])
    }
}
