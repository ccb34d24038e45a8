import DeveloperMenu
import FlagModel
import FlagRemote
import FlagStorage

/// The prompts of `flagmenu init`.
struct InitQuestions {
    let environment: Environment
    var registry = SourceRegistry.standard

    /// Prompts for everything that is missing.
    func complete(_ given: ProjectDraft) throws(CommandFailure) -> ProjectDraft {
        var draft = given
        StandardError.say("Enter accepts the default in brackets; Ctrl-C writes nothing.")
        if draft.sources.isEmpty {
            draft.sources = [try source()]
            StandardError.say("")
            let document = try Ask.until("A document with categories and titles for the menu, or Enter for none") {
                text -> Result<String, Ask.Unacceptable> in
                text.isEmpty ? .success("") : named(text)
            }
            if !document.isEmpty { draft.sources.append(ProjectDraft.Entry(name: path(document))) }
        } else {
            for index in draft.sources.indices where lacksCredentials(draft.sources[index]) {
                draft.sources[index] = try withCredentials(draft.sources[index])
            }
        }
        if draft.app == nil {
            StandardError.say("")
            draft.app = try Ask.until("The app's id, for its own overrides", standard: folderName) {
                text -> Result<String, Ask.Unacceptable> in
                AppFolders.isName(text)
                    ? .success(text) : .failure(.init(sentence: "That cannot be an app id: \(AppFolders.rule)"))
            }
        }
        return draft
    }

    /// The name of the folder, which is the default app id.
    var folderName: String { FilePath.name(of: environment.workingDirectory) }

    // MARK: the source

    /// Prompts for a document, and offers those of the folder.
    private func documentPath() throws(CommandFailure) -> String {
        let documents = ReadableDocuments.names(in: environment.workingDirectory)
        if documents.count > 1 {
            StandardError.say("Documents here:")
            for (index, name) in documents.enumerated() { StandardError.say("  \(index + 1)  \(name)") }
        }
        let question = documents.count > 1 ? "Its path, or a number" : "Its path"
        return try Ask.until(question, standard: documents.first ?? "") { text -> Result<String, Ask.Unacceptable> in
            guard !text.isEmpty else { return .failure(.init(sentence: "Enter a path.")) }
            let number = Int(text).flatMap { documents.indices.contains($0 - 1) ? $0 - 1 : nil }
            return named(number.map { documents[$0] } ?? text)
        }
    }

    /// A source that the user typed; a file must exist, as its name may be mistyped.
    private func named(_ typed: String) -> Result<String, Ask.Unacceptable> {
        (objection(to: path(typed)) ?? absence(of: typed)).map { .failure(.init(sentence: $0)) } ?? .success(typed)
    }

    /// The error that there is no such file, with similar names, as line mode completes no path; `nil` if there is one.
    private func absence(of typed: String) -> String? {
        guard registry.kind(of: typed) == nil else { return nil }
        let (home, folder) = (environment.homeDirectory, environment.workingDirectory)
        func paths(_ begun: String) -> [String] { PathCompletion.paths(completing: begun, home: home, in: folder) }
        let name = FilePath.trimmed(SourceName.withoutFileScheme(typed) ?? typed)
        let (place, inside) = (FilePath.typed(name, home: home, in: folder), FilePath.join(name, ""))
        if paths(name).contains(inside) {
            let documents = ReadableDocuments.names(in: place).map { inside + $0 }
            return
                "\(inside) is a folder. Documents in it: \(documents.isEmpty ? "none" : documents.joined(separator: ", "))."
        }
        guard !DurableFile.hasName(place) else { return nil }
        let beside = paths(String(name.dropLast(FilePath.name(of: name).count)))
        return "\(name): no such file.\(NearestKeys.question(about: name, among: beside))"
    }

    private func source() throws(CommandFailure) -> ProjectDraft.Entry {
        StandardError.say("")
        StandardError.say("Where are remote values read from?")
        let kinds: [(String, String)] =
            [("file", "a JSON document, such as a Remote Config template")]
            + registry.kinds.map { ($0.scheme, $0.title) }
        let width = kinds.map(\.0.count).max() ?? 0
        for (index, kind) in kinds.enumerated() {
            let name = kind.0 + String(repeating: " ", count: width - kind.0.count)
            StandardError.say("  \(index + 1)  \(name)  \(kind.1)")
        }
        let choice = try Ask.until("A number, or a whole source such as ofrep:URL", standard: "1") {
            text -> Result<Choice, Ask.Unacceptable> in
            if let number = Int(text) {
                return kinds.indices.contains(number - 1)
                    ? .success(Choice.kind(number - 1))
                    : .failure(.init(sentence: "The numbers are 1 to \(kinds.count)."))
            }
            if let index = kinds.firstIndex(where: { $0.0 == text.lowercased() }) { return .success(.kind(index)) }
            return named(text).map(Choice.whole)
        }
        switch choice {
        case .whole(let name):
            guard registry.kind(of: name) != nil else { return ProjectDraft.Entry(name: path(name)) }
            return try withCredentials(ProjectDraft.Entry(name: name))
        case .kind(0):
            return ProjectDraft.Entry(
                name: path(try documentPath()))
        case .kind(let index):
            let kind = registry.kinds[index - 1]
            let behind = kind.isURL ? "" : ", behind \"\(kind.scheme):\""
            let name = try Ask.until("Its \(kind.place)\(behind)") { text -> Result<String, Ask.Unacceptable> in
                let name = kind.name(at: text)
                return objection(to: name).map { .failure(.init(sentence: $0)) } ?? .success(name)
            }
            return try withCredentials(ProjectDraft.Entry(name: name))
        }
    }

    private enum Choice {
        case kind(Int)
        case whole(String)
    }

    /// Why an entry is not valid; `nil` if it is. Settings may supply what its name lacks.
    func objection(to entry: ProjectDraft.Entry) -> String? {
        guard let sentence = objection(to: entry.name) else { return nil }
        guard !entry.settings.isEmpty else { return sentence }
        if let credential = credentialObjection(to: entry.name) { return credential }
        // A setting of a wrong form is reported with its place when the whole file is read.
        guard let options = entry.options, registry.error(in: options) == nil else { return nil }
        let settings = self.settings(entry)
        return settings.kind == nil ? sentence : self.error(of: settings)
    }

    /// Why a typed source is not valid; `nil` if it is.
    func objection(to name: String) -> String? {
        if let sentence = credentialObjection(to: name) { return sentence }
        do throws(SourceNameRefusal) {
            _ = try SourceName.path(name, services: registry.schemes)
        } catch {
            return error.sentence
        }
        return self.error(of: registry.settings(name, environment: environment.sources))
    }

    /// Why a setting does not make a source; `nil` if it does.
    private func error(of settings: SourceSettings) -> String? {
        settings.unavailability(Services(environment).client).map { "\($0)." }
    }

    /// The settings of an entry, as they will be read.
    func settings(_ entry: ProjectDraft.Entry) -> SourceSettings {
        registry.settings(
            entry.name, entry.options, in: environment.workingDirectory, environment: environment.sources)
    }

    /// A URL in a file that others can read must not contain credentials.
    private func credentialObjection(to name: String) -> String? {
        let setting = registry.settings(name)
        guard setting.kind != nil, setting.shown.contains(Secret.mask) || setting.shown.hasSuffix("…") else {
            return nil
        }
        return
            "The address \(setting.shown) contains a credential or a query, which does not belong in a "
            + "file that others read. Name a variable or a file for it."
    }

    /// A path as written to the file: relative to it if it was typed so.
    func path(_ typed: String) -> String {
        typed.hasPrefix("~")
            ? FilePath.typed(typed, home: environment.homeDirectory, in: environment.workingDirectory) : typed
    }
}
