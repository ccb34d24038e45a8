import FlagModel
import FlagRemote

/// Where a credential is looked up. The text of the credential is not read.
package struct CredentialPlace: Sendable {
    /// The credential's name, such as `token`.
    package let name: String
    /// The place in words, such as `the variable ACME_TOKEN`.
    package let place: String
    /// Whether the variable is set, or the file exists.
    package let isThere: Bool
    /// The variable with the credential; `nil` for a file.
    var variable: String?
    /// The path of the file, as errors show it; `nil` for a variable, and if the credential itself was entered instead.
    var path: String?
    /// Whether the file has a special format, rather than only the credential.
    var isKeyFile = false
    /// The setting that determines the place, for messages about how to fix it.
    let naming: String
    /// Whether the project file names the place.
    let isNamed: Bool
    /// Whether the credential must stay secret; `false` for the file that describes an app, as the app's repository
    /// contains it.
    package var isSecret = true

    /// The credential's name in words, such as `client key` for `clientKey`.
    package var label: String {
        var words = ""
        for letter in name {
            // The letters of an abbreviation such as ID stay together.
            if letter.isUppercase, words.last?.isLowercase == true { words += " " }
            words.append(letter)
        }
        return words.split(separator: " ").map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }
            .joined(separator: " ")
    }

    /// Whether another place has the same credential: the same variable or key file.
    func hasSameCredential(as other: CredentialPlace) -> Bool {
        guard variable == nil else { return variable == other.variable }
        return path != nil && path == other.path && isKeyFile == other.isKeyFile
    }
}

// Where credentials are looked up, in order of precedence.
extension SourceSettings {
    /// The place of each credential that the kind of source declares.
    var credentials: [CredentialPlace] { (kind?.credentials ?? []).compactMap { credential($0.name) } }

    /// The places of the credentials that are used; empty for a file.
    package var usedCredentials: [CredentialPlace] { kind?.usedCredentials(self) ?? [] }

    /// The place of a credential; `nil` if the kind has none with that name.
    func credential(_ name: String) -> CredentialPlace? {
        guard let usualVariable = kind?.credentials.first(where: { $0.name == name })?.variable else { return nil }
        func place(of variable: String, isNamed: Bool) -> CredentialPlace {
            // A text that is not a name may be the credential itself.
            let isName = VariableName.isOne(variable)
            let place = isName ? "the variable \(variable)" : "the variable that \"\(name)Variable\" names"
            return CredentialPlace(
                name: name, place: place, isThere: self.variable(variable) != nil, variable: variable, naming: place,
                isNamed: isNamed)
        }
        if let named = text("\(name)Variable") { return place(of: named, isNamed: true) }
        let member = "\(name)File"
        guard let file = text(member) else { return place(of: usualVariable, isNamed: false) }
        let path = CredentialFile.path(file, in: folder)
        return CredentialPlace(
            name: name, place: path.map { "the file \($0)" } ?? "the file that \"\(member)\" names",
            isThere: CredentialFile.isThere(file, in: folder), path: path, naming: "\"\(member)\" in flagmenu.json",
            isNamed: true)
    }

    /// The place of a key file. An option names the file or, if the option is not set, a variable; `nil` if neither is
    /// set.
    ///
    /// - Parameters:
    ///   - name: the name of the credential in the file.
    ///   - member: the option that names the file.
    ///   - variable: the variable that names the file if no option does.
    ///   - isSecret: whether the file must stay secret.
    func file(
        _ name: String, member: String? = nil, variable: String? = nil, isSecret: Bool = true
    ) -> CredentialPlace? {
        func place(_ path: String?, _ words: String, by naming: String, isNamed: Bool) -> CredentialPlace {
            CredentialPlace(
                name: name, place: path.map { "the file \($0)\(words)" } ?? "the file that \(naming) names",
                isThere: path != nil, path: path, isKeyFile: true, naming: naming, isNamed: isNamed, isSecret: isSecret
            )
        }
        if let member, let text = text(member) {
            return place(
                CredentialFile.path(text, in: folder), "", by: "\"\(member)\" in flagmenu.json", isNamed: true)
        }
        guard let variable, let text = self.variable(variable) else { return nil }
        // Errors show the path as the variable has it, unresolved.
        let isPath = CredentialFile.path(text, in: environment.workingDirectory) != nil
        return place(isPath ? text : nil, " of \(variable)", by: "the variable \(variable)", isNamed: false)
    }

    /// The paths of the files that options in the project file name, whether they are used or not.
    var namedFiles: [String] {
        (kind?.options ?? []).flatMap(\.members).filter { $0.form == .path }
            .compactMap { text($0.name) }.map { FilePath.resolve($0, in: folder) }
    }

    /// The path of the file that contains a credential; `nil` if the credential is not in a file.
    package func file(of place: CredentialPlace) -> String? {
        place.path.map { FilePath.resolve($0, in: environment.workingDirectory) }
    }

    /// Where to put missing credentials, as sentences.
    package func remedies(forMissing missing: [CredentialPlace]) -> [String] {
        let remedies = missing.map { credential in
            // A key file has no variable for its content.
            let members =
                credential.isKeyFile
                ? "" : ", or name another place with \"\(credential.name)Variable\" or \"\(credential.name)File\""
            return "Put the \(credential.label) into \(credential.place)\(members)."
        }
        guard let kind, !usedCredentials.contains(where: \.isKeyFile) else { return remedies }
        return remedies + kind.keyFiles.map { "Or name \($0.file.title) with \"\($0.option)\"." }
    }
}
