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
        StandardError.printWrapped("Sources of \(kind.scheme): use one of these credentials:")
        for (option, file) in kind.keyFiles {
            let isUsual = option == usualFile.option
            StandardError.printWrapped(
                "the path of \(file.title)\(isUsual ? ", or \(keyVariable), which names it" : "")", after: "  - ")
        }
        StandardError.printWrapped(
            "the variable with a \(CredentialPlace.label(of: token.name)), such as \(token.variable)", after: "  - ")
        let isTokenSet = environment[keyVariable] == nil && environment[token.variable] != nil
        var usesToken = false
        entry.settings += try TerminalPrompt.until(
            "A path, or the name of a variable", standard: isTokenSet ? token.variable : keyVariable
        ) { text throws(CommandFailure) in
            guard VariableName.isOne(text) else { return try keyFile(text, kind) }
            usesToken = text != keyVariable
            guard !usesToken else { return variable(text, of: token) }
            printUnset(keyVariable, "the source is not read")
            return []
        }
        let companion = kind.credentials.first { $0.name == usualFile.file.companion }
        if let companion, !usesToken { try ask(companion, for: &entry) }
        return entry
    }

    /// Prompts for the place of a text credential, and adds the place to the entry.
    private func ask(_ credential: Credential, for entry: inout ProjectDraft.Entry) throws(CommandFailure) {
        StandardError.printLine("")
        entry.settings += try TerminalPrompt.until(
            "The \(CredentialPlace.label(of: credential.name)): its variable, or file:PATH",
            standard: credential.variable
        ) { text throws(CommandFailure) in
            if text.hasPrefix("file:") { return try file(path(String(text.dropFirst(5))), "\(credential.name)File") }
            guard VariableName.isOne(text) else {
                throw rejection("not a variable name: capital letters, digits and _")
            }
            return variable(text, of: credential)
        }
    }

    private typealias Setting = (name: String, value: JSONOutput)
    private typealias Credential = (name: String, variable: String, need: SourceOption.Need)

    /// The member that names the variable of a credential; none for the usual variable.
    private func variable(_ name: String, of credential: Credential) -> [Setting] {
        printUnset(name, "nothing is sent as the \(CredentialPlace.label(of: credential.name))")
        return name == credential.variable ? [] : [("\(credential.name)Variable", .string(name))]
    }

    /// The member that names a key file, which depends on the content of the file.
    private func keyFile(_ typed: String, _ kind: any SourceKind) throws(CommandFailure) -> [Setting] {
        let path = path(typed.hasPrefix("file:") ? String(typed.dropFirst(5)) : typed)
        let place = FilePath.resolve(path, in: environment.workingDirectory)
        let content: [UInt8]
        do throws(SourceError) {
            content = try SourceFileBytes(path: place, limit: 1 << 20).bytes
        } catch {
            // The typed text may be a part of the credential. The text counts as the path of a missing file only if it
            // ends like the name of a key file.
            if error.code == .missing, let member = kind.keyFileOption(named: path) { return try file(path, member) }
            guard error.code != .missing, !RedactedURL.isCredential(path) else {
                throw rejection("neither a file nor a variable name: capital letters, digits and _")
            }
            throw CommandFailure(.usage, "\(path): \(error.sentence.asSentence)")
        }
        guard let member = kind.keyFile(withContent: String(decoding: content, as: UTF8.self))?.option else {
            let titles = kind.keyFiles.map(\.file.title).joined(separator: ", nor ")
            throw CommandFailure(.usage, "\(path) is not \(titles).")
        }
        return try file(path, member)
    }

    /// The member that names the file of a credential, if `path` exists or looks like a path.
    private func file(_ path: String, _ member: String) throws(CommandFailure) -> [Setting] {
        guard !CredentialFile.isCredentialInsteadOfPath(path, in: environment.workingDirectory) else {
            throw rejection("not a path: no such file")
        }
        if !CredentialFile.isThere(path, in: environment.workingDirectory) {
            StandardError.printWrapped("There is no such file now; without it the source is not read.", after: "  ")
        }
        return [(member, .string(path))]
    }

    /// The error that a text is not valid. The text may be the credential, so the error does not show it.
    private func rejection(_ words: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "\"\(Secret.mask)\" is \(words). A credential itself is never written. Put it into a variable or a "
                + "file, and name that.")
    }

    private func printUnset(_ variable: String, _ consequence: String) {
        if environment[variable] == nil {
            StandardError.printWrapped("\(variable) is not set now; without it \(consequence).", after: "  ")
        }
    }
}
