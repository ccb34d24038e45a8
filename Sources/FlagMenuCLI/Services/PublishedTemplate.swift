import DeveloperMenuTerminal
import FlagModel
import FlagSourceFirebase
import FlagSourceSupport

/// The templates of the Firebase project that a run reads, for who publishes to them.
struct PublishedTemplate {
    /// The project, and which of its templates: `firebase:shop, the template for clients`.
    let title: String
    private let templates: FirebaseTemplates
    private let client: SourceClient

    /// The first Firebase project among the sources.
    ///
    /// - Throws: that there is none, or what is wrong with its settings.
    init(_ settings: Settings) throws(CommandFailure) {
        guard let source = settings.sources.first(where: { $0.kind?.scheme == ServiceKind.firebase.scheme }) else {
            throw CommandFailure(
                .usage,
                "None of the sources is a Firebase project; name one with --source firebase:PROJECT or in flagmenu.json."
            )
        }
        client = Services(settings.environment).client
        do throws(SourceError) {
            templates = try ServiceKind.firebaseTemplates(ServiceSetting(source, settings.environment, client))
        } catch {
            throw CommandFailure(.remote, "\(error).")
        }
        let readers = templates.namespace == .client ? "clients" : "servers"
        title = "\(templates.name), the template for \(readers)"
    }

    /// The newest version.
    func newest() throws(CommandFailure) -> TemplateAnswer {
        try answer { templates, client throws(SourceError) in try await templates.template(client) }
    }

    /// The versions that Firebase keeps, the newest first.
    func versions(count: Int) throws(CommandFailure) -> [TemplateVersion] {
        try answer { templates, client throws(SourceError) in try await templates.versions(client, count: count) }
    }

    /// Whether Firebase would take a draft.
    func check(_ draft: TemplateDraft) throws(CommandFailure) -> FirebaseTemplates.Publication {
        try answer { templates, client throws(SourceError) in
            try await templates.publish(draft, client, isTrial: true)
        }
    }

    /// Makes a draft the newest version.
    func publish(_ draft: TemplateDraft) throws(CommandFailure) -> FirebaseTemplates.Publication {
        try order { templates, client throws(SourceError) in try await templates.publish(draft, client) }
    }

    /// Publishes an old version again, as a new one.
    func rollBack(to version: Int) throws(CommandFailure) -> TemplateAnswer {
        try order { templates, client throws(SourceError) in try await templates.rollBack(to: version, client) }
    }

    private typealias Question<Value> =
        @Sendable (FirebaseTemplates, SourceClient) async throws(SourceError) -> Value

    private func answer<Value: Sendable>(
        ofOrder isOrder: Bool = false, _ question: @escaping Question<Value>
    ) throws(CommandFailure) -> Value {
        let (templates, client) = (templates, client)
        let answer = Waiting.answer { () async -> Result<Value, SourceError> in
            do throws(SourceError) {
                return .success(try await question(templates, client))
            } catch {
                return .failure(error)
            }
        }
        do throws(SourceError) {
            return try answer.get()
        } catch {
            throw CommandFailure(.remote, "\(error). \(Self.outcome(of: error, isOrder: isOrder))")
        }
    }

    private func order<Value: Sendable>(_ order: @escaping Question<Value>) throws(CommandFailure) -> Value {
        try answer(ofOrder: true, order)
    }

    /// An order whose answer is lost may have been carried out.
    private static func outcome(of error: SourceError, isOrder: Bool) -> String {
        let isLost = [.unreachable, .timedOut, .cancelled, .faulty, .malformed, .tooLarge].contains(error.code)
        return isOrder && isLost
            ? "Whether it was published is not known; flagmenu versions tells." : "Nothing was published."
    }
}

extension TemplateVersion {
    /// The number, when and by whom, in words.
    var words: String {
        let author = userEmail.map { " by \($0.string)" } ?? ""
        return "version \(number.map(String.init) ?? "?")" + (updatedAt.map { " of \($0.rfc3339)" } ?? "") + author
    }

    /// The same for a table: number, moment, author, and what there is to say about it.
    var cells: [String] {
        let rollback = rollbackSource.map { "brings back version \($0)" }
        let remarks = [details?.string, rollback].compactMap { $0 }.filter { !$0.isEmpty }
        return [
            number.map(String.init) ?? "?", updatedAt?.rfc3339 ?? "", userEmail?.string ?? origin?.string ?? "",
            remarks.joined(separator: "; "),
        ]
    }

    /// The version for other programs.
    var json: JSONOutput {
        .object([
            ("version", number.map(JSONOutput.integer) ?? .null), ("at", FlagJSON.text(updatedAt?.rfc3339)),
            ("by", FlagJSON.text(userEmail?.string)), ("origin", FlagJSON.text(origin?.string)),
            ("type", FlagJSON.text(type?.string)), ("description", FlagJSON.text(details?.string)),
            ("rollbackSource", rollbackSource.map(JSONOutput.integer) ?? .null),
        ])
    }
}
