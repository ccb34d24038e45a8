import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

/// The prompts of `flagmenu init`.
struct InitPrompts {
    let environment: Environment
    var registry = SourceRegistry.standard

    /// Prompts for the missing parts of a draft.
    func complete(_ given: ProjectDraft) throws(CommandFailure) -> ProjectDraft {
        var draft = given
        StandardError.printLine("Enter accepts the default in brackets; Ctrl-C writes nothing.")
        if draft.sources.isEmpty {
            draft.sources = [try source()]
            StandardError.printLine("")
            let document = try TerminalPrompt.until(
                "A document with categories and titles for the menu, or Enter for none"
            ) { text throws(CommandFailure) in
                try text.isEmpty ? "" : named(text)
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
                text throws(CommandFailure) in
                guard AppFolders.isName(text) else {
                    throw CommandFailure(.usage, "That cannot be an app id: \(AppFolders.rule)")
                }
                return text
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
        return try TerminalPrompt.until(prompt, standard: documents.first ?? "") { text throws(CommandFailure) in
            guard !text.isEmpty else { throw CommandFailure(.usage, "Enter a path.") }
            let number = Int(text).flatMap { documents.indices.contains($0 - 1) ? $0 - 1 : nil }
            return try named(number.map { documents[$0] } ?? text)
        }
    }

    /// Returns the typed name if it is a valid source. A file must exist, because its name may be mistyped.
    private func named(_ typed: String) throws(CommandFailure) -> String {
        if let reason = invalidReason(to: .init(name: path(typed))) ?? missingFileError(typed) {
            throw CommandFailure(.usage, reason)
        }
        return typed
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

    private func source() throws(CommandFailure) -> ProjectDraft.Entry {
        StandardError.printLine("")
        StandardError.printLine("Where are remote values read from?")
        let names = ["file"] + registry.schemes
        let titles = ["a JSON document, such as a Remote Config template"] + registry.kinds.map(\.title)
        let rows = names.indices.map { index in
            ["  \(index < 9 && names.count > 9 ? " " : "")\(index + 1)", names[index], titles[index]]
        }
        rows.table.forEach(StandardError.printLine)
        let choice = try TerminalPrompt.until("A number, or a whole source such as ofrep:URL", standard: "1") {
            text throws(CommandFailure) in
            guard let number = Int(text) else {
                return try names.contains(text.lowercased()) ? text.lowercased() : named(text)
            }
            guard names.indices.contains(number - 1) else {
                throw CommandFailure(.usage, "The numbers are 1 to \(names.count).")
            }
            return names[number - 1]
        }
        var name = try choice == "file" ? documentPath() : choice
        if let kind = registry.kinds.first(where: { $0.scheme == choice }) {
            let prefixHint = kind.address.isURL ? "" : ", behind \"\(kind.scheme):\""
            let home = kind.address.placeholder == "URL" ? kind.address.homes.first : nil
            let homeHint = home.map { ", or Enter for \($0)" } ?? ""
            name = try TerminalPrompt.until("Its \(kind.address.placeholder)\(prefixHint)\(homeHint)") {
                text throws(CommandFailure) in
                let name = kind.name(at: text)
                if let reason = invalidReason(to: .init(name: name)) { throw CommandFailure(.usage, reason) }
                return name
            }
        }
        return try withCredentials(ProjectDraft.Entry(name: path(name)))
    }

    /// The error of a source; `nil` if the source is valid. Its settings may complete a name that is not valid alone.
    func invalidReason(to entry: ProjectDraft.Entry) -> String? {
        let named = registry.settings(entry.name, environment: environment)
        // Others can read the project file, so it must not contain credentials.
        if named.kind != nil, named.shown.contains(Secret.mask) || named.shown.hasSuffix("…") {
            return
                "The address \(named.shown) contains a credential or a query, which does not belong in a "
                + "file that others read. Name a variable or a file for it."
        }
        let nameError: String?
        do throws(SourceNameError) {
            _ = try SourceName.path(entry.name, services: registry.schemes)
            nameError = self.error(of: named)
        } catch {
            nameError = error.sentence
        }
        guard nameError != nil, !entry.settings.isEmpty else { return nameError }
        // A setting of the wrong type is not reported here, but with its place when the file is parsed.
        guard let options = entry.options, registry.error(in: options) == nil else { return nil }
        let settings = settings(entry)
        return settings.kind == nil ? nameError : error(of: settings)
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

    /// The path to write to the project file: the typed path with a leading `~` replaced.
    func path(_ typed: String) -> String {
        typed.hasPrefix("~")
            ? FilePath.typed(typed, home: environment.homeDirectory, in: environment.workingDirectory) : typed
    }
}
