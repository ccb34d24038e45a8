import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

/// The prompts of `init`. What the user types changes the draft; a prompt repeats until the draft is valid.
struct InitPrompts {
    let options: GlobalOptions
    let environment: Environment
    var registry = SourceRegistry.standard

    /// Prompts for the app and the sources that the draft does not name.
    func complete(_ draft: inout ProjectDraft) throws(CommandFailure) {
        let folder = environment.workingDirectory
        StandardError.printLine("Enter accepts the default in brackets; Ctrl-C writes nothing.")
        if draft.app == nil {
            try ask("The app's id, for its own overrides", FilePath.name(of: folder), &draft) { $0.app = $1 }
        }
        guard draft.sources.isEmpty else { return }
        let documents = ReadableDocuments.names(in: folder)
        StandardError.printLine("")
        StandardError.printLine("Where are remote values read from? A document, or one of these:")
        registry.kinds.map { ["  \($0.example)", $0.title] }.table.forEach(StandardError.printLine)
        for (index, name) in documents.enumerated() { StandardError.printLine("  \(index + 1)  \(name)") }
        var isTyped = true
        while isTyped || draft.sources.isEmpty {
            let (prompt, standard) =
                draft.sources.isEmpty
                ? ("Its name, path or number", documents.first ?? "")
                : ("Another, such as a document with categories, or Enter for none", "")
            isTyped = try ask(prompt, standard, &draft) {
                draft, text throws(CommandFailure) in
                let number = Int(text).flatMap { documents.indices.contains($0 - 1) ? $0 - 1 : nil }
                try add(number.map { documents[$0] } ?? text, to: &draft, among: documents)
            }
        }
    }

    /// Adds a typed source to the draft. A file must exist, because its name may be mistyped.
    private func add(
        _ typed: String, to draft: inout ProjectDraft, among documents: [String]
    ) throws(CommandFailure) {
        let (home, folder) = (environment.homeDirectory, environment.workingDirectory)
        draft.sources.append(typed.hasPrefix("~") ? FilePath.typed(typed, home: home, in: folder) : typed)
        guard let path = try settings(of: draft).sources.last?.path else { return }
        _ = try CommandFailure.converting(to: .usage) { () throws(SourceError) in
            try SourceFileBytes(path: path)
        } sentence: {
            "\(typed): \($0.sentence).\(NearestKeys.suggestion(about: typed, among: documents))"
        }
    }

    /// Prompts for a setting of the first source, which may correct the error of its test; returns whether one was typed.
    func correct(_ draft: inout ProjectDraft) throws(CommandFailure) -> Bool {
        try ask("A setting that corrects it, such as tokenVariable=SHOP_TOKEN, or Enter for none", "", &draft) {
            draft, text throws(CommandFailure) in
            try draft.set(text, in: environment.workingDirectory, registry)
        }
    }

    /// Prompts until the typed text is empty or results in a valid draft; returns whether it is not empty.
    ///
    /// - Parameter standard: the text if the user types nothing.
    @discardableResult
    private func ask(
        _ prompt: String, _ standard: String, _ draft: inout ProjectDraft,
        _ change: (inout ProjectDraft, String) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> Bool {
        StandardError.printLine("")
        let given = draft
        let changed = try TerminalPrompt.until(prompt, standard: standard) {
            text throws(CommandFailure) -> ProjectDraft? in
            guard !text.isEmpty else { return nil }
            var next = given
            try change(&next, text)
            _ = try settings(of: next)
            return next
        }
        draft = changed ?? given
        return changed != nil
    }

    /// The environment variables that override the project file.
    static let overridingVariables = ["FLAGMENU_SOURCE", "FLAGMENU_APP", "FLAGMENU_DEFAULTS", "FLAGMENU_STORE"]

    /// The settings of a run with the draft, without options and variables that would override the file.
    ///
    /// - Throws: why the draft is not valid.
    func settings(of draft: ProjectDraft) throws(CommandFailure) -> Settings {
        var (options, environment) = (options.values, environment)
        (options.source, options.app, options.defaults, options.store) = ([], nil, nil, nil)
        for name in Self.overridingVariables { environment.variables[name] = nil }
        let path = FilePath.join(environment.workingDirectory, ProjectFile.name)
        let project = try ProjectFile(Array(draft.text.utf8), path: path, environment, registry)
        let settings = try Settings(options, environment: environment, project: project, registry: registry)
        for source in settings.sources where source.kind != nil {
            let error = ProjectDraft.secretError(in: source.shown, "the source")
            if let sentence = error ?? source.unavailability(Services(environment).client)?.asSentence {
                throw CommandFailure(.usage, sentence)
            }
        }
        return settings
    }
}
