import FlagModel
import FlagRemote
import FlagWorkspace

// Prompts that ask where the credentials of a source are stored, never for the credentials themselves.
extension InitPrompts {
    /// Whether a source needs credentials, but the entry names no place for them, and the usual places contain none.
    func lacksCredentials(_ entry: ProjectDraft.Entry) -> Bool {
        guard let kind = registry.kind(of: entry.name), kind.credentials.contains(where: { $0.need == .required })
        else { return false }
        let members =
            kind.options.filter { $0.variable != nil }.flatMap(\.members).map(\.name)
            + kind.keyFiles.map(\.option)
        // A place that the user has named is used even if it contains no credential yet.
        guard !entry.settings.contains(where: { members.contains($0.name) }) else { return false }
        return !settings(entry).usedCredentials.contains(where: \.isThere)
    }

    /// Adds the places of a source's credentials, which the user types.
    func withCredentials(_ given: ProjectDraft.Entry) throws(CommandFailure) -> ProjectDraft.Entry {
        var entry = given
        guard let kind = registry.kind(of: entry.name) else { return entry }
        guard let usualFile = kind.keyFiles.first, let keyVariable = usualFile.file.variable else {
            for credential in kind.credentials where credential.need != .rare {
                try ask(credential, for: &entry)
            }
            return entry
        }
        let token = kind.credentials[0]
        StandardError.printLine("")
        report("Sources of \(kind.scheme): use one of these credentials:", "")
        for (option, file) in kind.keyFiles {
            let isUsual = option == usualFile.option
            report("the path of \(file.title)\(isUsual ? ", or \(keyVariable), which names it" : "")", "  - ")
        }
        report("the variable with a \(CredentialPlace.label(of: token.name)), such as \(token.variable)", "  - ")
        let isTokenSet = environment[keyVariable] == nil && environment[token.variable] != nil
        let place = try TerminalPrompt.until(
            "A path, or the name of a variable", standard: isTokenSet ? token.variable : keyVariable
        ) { text in keyPlace(text, kind) }
        switch place {
        case .variable(keyVariable):
            printUnset(keyVariable, "the source is not read")
        case .variable:
            record(place, of: token, in: &entry)
            return entry
        case .file: record(place, of: token, in: &entry)
        }
        let companion = kind.credentials.first { $0.name == usualFile.file.companion }
        if let companion { try ask(companion, for: &entry) }
        return entry
    }

    /// Prompts for the place of a text credential, and adds the place to the entry.
    private func ask(
        _ credential: Credential, for entry: inout ProjectDraft.Entry
    ) throws(CommandFailure) {
        StandardError.printLine("")
        let place = try TerminalPrompt.until(
            "The \(CredentialPlace.label(of: credential.name)): its variable, or file:PATH",
            standard: credential.variable
        ) { text -> Result<NamedPlace, TerminalPrompt.Unacceptable> in
            guard !text.hasPrefix("file:") else {
                return file(path(String(text.dropFirst(5))), "\(credential.name)File")
            }
            guard VariableName.isOne(text) else {
                return rejection("not a variable name: capital letters, digits and _")
            }
            return .success(.variable(text))
        }
        record(place, of: credential, in: &entry)
    }

    private typealias Credential = (name: String, variable: String, need: SourceOption.Need)

    /// Adds the place of a credential to the entry, unless it is the usual variable.
    private func record(_ place: NamedPlace, of credential: Credential, in entry: inout ProjectDraft.Entry) {
        switch place {
        case .variable(let variable):
            printUnset(variable, "nothing is sent as the \(CredentialPlace.label(of: credential.name))")
            guard variable != credential.variable else { return }
            entry.settings.append(("\(credential.name)Variable", .string(variable)))
        case .file(let member, let path):
            printMissing(path)
            entry.settings.append((member, .string(path)))
        }
    }

    /// The place that a typed text names: a key file, or a variable.
    private func keyPlace(_ text: String, _ kind: any SourceKind) -> Result<NamedPlace, TerminalPrompt.Unacceptable> {
        if VariableName.isOne(text) { return .success(.variable(text)) }
        let path = path(text.hasPrefix("file:") ? String(text.dropFirst(5)) : text)
        let place = FilePath.resolve(path, in: environment.workingDirectory)
        do throws(SourceError) {
            let content = String(decoding: try SourceFileBytes(path: place, limit: 1 << 20).bytes, as: UTF8.self)
            guard let member = kind.keyFile(withContent: content)?.option else {
                let titles = kind.keyFiles.map(\.file.title).joined(separator: ", nor ")
                return .failure(.init(sentence: "\(path) is not \(titles)."))
            }
            return .success(.file(member, path))
        } catch {
            // The typed text may be a part of the credential. The text counts as the path of a missing file only if it
            // ends like the name of a key file.
            guard error.code == .missing, let member = kind.keyFileOption(named: path) else {
                return error.code == .missing || RedactedURL.isCredential(path)
                    ? rejection("neither a file nor a variable name: capital letters, digits and _")
                    : .failure(.init(sentence: "\(path): \(error.sentence.asSentence)"))
            }
            return file(path, member)
        }
    }

    /// The file of a credential if `path` exists or looks like a path; otherwise an error.
    private func file(_ path: String, _ member: String) -> Result<NamedPlace, TerminalPrompt.Unacceptable> {
        CredentialFile.isCredentialInsteadOfPath(path, in: environment.workingDirectory)
            ? rejection("not a path: no such file") : .success(.file(member, path))
    }

    /// The error that a text is not valid. The text may be the credential, so the error does not show it.
    private func rejection(_ words: String) -> Result<NamedPlace, TerminalPrompt.Unacceptable> {
        .failure(
            .init(
                sentence:
                    "\"\(Secret.mask)\" is \(words). A credential itself is never written. Put it into a variable or a "
                    + "file, and name that."))
    }

    private func printUnset(_ variable: String, _ consequence: String) {
        if environment[variable] == nil { report("\(variable) is not set now; without it \(consequence).", "  ") }
    }

    private func printMissing(_ path: String) {
        guard !CredentialFile.isThere(path, in: environment.workingDirectory) else { return }
        report("There is no such file now; without it the source is not read.", "  ")
    }

    private func report(_ sentence: String, _ indent: String) {
        sentence.wrapped(to: LineWidth.ofErrors, after: indent).forEach(StandardError.printLine)
    }

    private enum NamedPlace {
        case variable(String)
        /// The member of the entry that names the file, and the path of the file.
        case file(String, String)
    }
}
