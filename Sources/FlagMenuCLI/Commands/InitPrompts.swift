import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

/// The prompts of `flagmenu init`.
struct InitPrompts {
    let environment: Environment
    var registry = SourceRegistry.standard

    /// What was typed, or why it is not valid.
    private typealias Typed<Value> = Result<Value, TerminalPrompt.Unacceptable>

    /// Prompts for the missing parts of a draft.
    func complete(_ given: ProjectDraft) throws(CommandFailure) -> ProjectDraft {
        var draft = given
        StandardError.printLine("Enter accepts the default in brackets; Ctrl-C writes nothing.")
        if draft.sources.isEmpty {
            draft.sources = [try source()]
            StandardError.printLine("")
            let document = try TerminalPrompt.until(
                "A document with categories and titles for the menu, or Enter for none"
            ) { text -> Typed<String> in
                text.isEmpty ? .success("") : named(text)
            }
            if !document.isEmpty { draft.sources.append(ProjectDraft.Entry(name: path(document))) }
        } else {
            for index in draft.sources.indices where lacksCredentials(draft.sources[index]) {
                draft.sources[index] = try withCredentials(draft.sources[index])
            }
        }
        if draft.app == nil {
            StandardError.printLine("")
            draft.app = try TerminalPrompt.until("The app's id, for its own overrides", standard: folderName) {
                text -> Typed<String> in
                AppFolders.isName(text)
                    ? .success(text) : .failure(.init(sentence: "That cannot be an app id: \(AppFolders.rule)"))
            }
        }
        return draft
    }

    /// The name of the folder, which is the default app id.
    var folderName: String { FilePath.name(of: environment.workingDirectory) }

    // MARK: the source

    /// Prompts for the path of a document, and offers the documents in the working directory.
    private func documentPath() throws(CommandFailure) -> String {
        let documents = ReadableDocuments.names(in: environment.workingDirectory)
        if documents.count > 1 {
            StandardError.printLine("Documents here:")
            for (index, name) in documents.enumerated() { StandardError.printLine("  \(index + 1)  \(name)") }
        }
        let prompt = documents.count > 1 ? "Its path, or a number" : "Its path"
        return try TerminalPrompt.until(prompt, standard: documents.first ?? "") { text -> Typed<String> in
            guard !text.isEmpty else { return .failure(.init(sentence: "Enter a path.")) }
            let number = Int(text).flatMap { documents.indices.contains($0 - 1) ? $0 - 1 : nil }
            return named(number.map { documents[$0] } ?? text)
        }
    }

    /// The typed name if it is a valid source, else an error. A file must exist, because its name may be mistyped.
    private func named(_ typed: String) -> Typed<String> {
        (invalidReason(to: path(typed)) ?? missingFileError(typed)).map { .failure(.init(sentence: $0)) }
            ?? .success(typed)
    }

    /// The error that a typed file does not exist or is a folder, with suggestions; `nil` for a file or a service.
    private func missingFileError(_ typed: String) -> String? {
        guard registry.kind(of: typed) == nil else { return nil }
        let (home, folder) = (environment.homeDirectory, environment.workingDirectory)
        func paths(_ start: String) -> [String] { PathCompletion.paths(completing: start, home: home, in: folder) }
        let name = FilePath.trimmed(SourceName.withoutFileScheme(typed) ?? typed)
        let (path, namePrefix) = (FilePath.typed(name, home: home, in: folder), FilePath.join(name, ""))
        if paths(name).contains(namePrefix) {
            let documents = ReadableDocuments.names(in: path).map { namePrefix + $0 }
            return
                "\(namePrefix) is a folder. Documents in it: \(documents.isEmpty ? "none" : documents.joined(separator: ", "))."
        }
        guard !DurableFile.hasName(path) else { return nil }
        let siblings = paths(String(name.dropLast(FilePath.name(of: name).count)))
        return "\(name): no such file.\(NearestKeys.suggestion(about: name, among: siblings))"
    }

    /// Prompts for a source.
    private func source() throws(CommandFailure) -> ProjectDraft.Entry {
        StandardError.printLine("")
        StandardError.printLine("Where are remote values read from?")
        let kinds: [(String, String)] =
            [("file", "a JSON document, such as a Remote Config template")]
            + registry.kinds.map { ($0.scheme, $0.title) }
        let (width, numberWidth) = (kinds.map(\.0.count).max() ?? 0, "\(kinds.count)".count)
        for (index, kind) in kinds.enumerated() {
            let indent = String(repeating: " ", count: numberWidth - "\(index + 1)".count)
            StandardError.printLine("  \(indent)\(index + 1)  \(kind.0.filled(to: width))  \(kind.1)")
        }
        let choice = try TerminalPrompt.until("A number, or a whole source such as ofrep:URL", standard: "1") {
            text -> Typed<Choice> in
            if let number = Int(text) {
                return kinds.indices.contains(number - 1)
                    ? .success(Choice.kind(number - 1))
                    : .failure(.init(sentence: "The numbers are 1 to \(kinds.count)."))
            }
            if let index = kinds.firstIndex(where: { $0.0 == text.lowercased() }) { return .success(.kind(index)) }
            return named(text).map(Choice.source)
        }
        switch choice {
        case .source(let name):
            guard registry.kind(of: name) != nil else { return ProjectDraft.Entry(name: path(name)) }
            return try withCredentials(ProjectDraft.Entry(name: name))
        case .kind(0):
            return ProjectDraft.Entry(
                name: path(try documentPath()))
        case .kind(let index):
            let kind = registry.kinds[index - 1]
            let prefixHint = kind.address.isURL ? "" : ", behind \"\(kind.scheme):\""
            let home = kind.address.placeholder == "URL" ? kind.address.homes.first : nil
            let homeHint = home.map { ", or Enter for \($0)" } ?? ""
            let name = try TerminalPrompt.until("Its \(kind.address.placeholder)\(prefixHint)\(homeHint)") {
                text -> Typed<String> in
                let name = kind.name(at: text)
                return invalidReason(to: name).map { .failure(.init(sentence: $0)) } ?? .success(name)
            }
            return try withCredentials(ProjectDraft.Entry(name: name))
        }
    }

    private enum Choice {
        /// An index in the list of kinds.
        case kind(Int)
        case source(String)
    }

    /// The error of an entry; `nil` if the entry is valid. The settings of the entry may complete a name that is not
    /// valid alone.
    func invalidReason(to entry: ProjectDraft.Entry) -> String? {
        guard let sentence = invalidReason(to: entry.name) else { return nil }
        guard !entry.settings.isEmpty else { return sentence }
        if let credentialError = credentialError(in: entry.name) { return credentialError }
        // A setting of the wrong type is not reported here, but with its place when the file is parsed.
        guard let options = entry.options, registry.error(in: options) == nil else { return nil }
        let settings = self.settings(entry)
        return settings.kind == nil ? sentence : self.error(of: settings)
    }

    /// The error of a typed source; `nil` if the source is valid.
    func invalidReason(to name: String) -> String? {
        if let sentence = credentialError(in: name) { return sentence }
        do throws(SourceNameError) {
            _ = try SourceName.path(name, services: registry.schemes)
        } catch {
            return error.sentence
        }
        return self.error(of: registry.settings(name, environment: environment))
    }

    /// Why no source can be made from the settings, as a sentence; `nil` if a source can be made.
    private func error(of settings: SourceSettings) -> String? {
        settings.unavailability(Services(environment).client).map { "\($0)." }
    }

    /// The settings that a run would read from the entry of a source.
    func settings(_ entry: ProjectDraft.Entry) -> SourceSettings {
        registry.settings(
            entry.name, entry.options, in: environment.workingDirectory, environment: environment)
    }

    /// The error that a URL contains a credential; `nil` if it contains none. Others can read the project file, so the
    /// file must not contain credentials.
    private func credentialError(in name: String) -> String? {
        let setting = registry.settings(name)
        guard setting.kind != nil, setting.shown.contains(Secret.mask) || setting.shown.hasSuffix("…") else {
            return nil
        }
        return
            "The address \(setting.shown) contains a credential or a query, which does not belong in a "
            + "file that others read. Name a variable or a file for it."
    }

    /// The path to write to the project file: the typed path with a leading `~` replaced.
    func path(_ typed: String) -> String {
        typed.hasPrefix("~")
            ? FilePath.typed(typed, home: environment.homeDirectory, in: environment.workingDirectory) : typed
    }
}
