import FlagModel
import FlagRemote

/// Where a credential is looked up. The text of the credential is not read.
struct CredentialPlace: Sendable {
    /// The variable or file that contains the credential.
    enum Holder: Sendable {
        /// A variable with the credential, and whether the project file names that variable.
        case variable(String, isNamed: Bool)
        /// A file that contains only the credential, and the member of the project file that sets the file's path.
        case file(String, member: String)
        /// A key file, which has a special format. `path` is the path as errors show it, or `nil` if the credential
        /// itself was entered instead of the path. `naming` is the setting that names the file, such as `the variable
        /// GOOGLE_APPLICATION_CREDENTIALS`. `isNamed` is whether the project file names the key file.
        case keyFile(path: String?, naming: String, isNamed: Bool)
    }

    /// The credential's name, such as `token`.
    let name: String
    /// The place in words, such as `the variable ACME_TOKEN`.
    let place: String
    /// Whether the variable is set, or the file exists.
    let isThere: Bool
    let holder: Holder
    /// Whether the credential must stay secret; `false` for the file that describes an app, as the app's repository
    /// contains it.
    var isSecret = true

    /// The credential's name in words, such as `client key` for `clientKey`.
    var label: String { Self.label(of: name) }

    /// The name of a credential in words.
    static func label(of name: String) -> String {
        var words = ""
        for letter in name {
            // The letters of an abbreviation such as ID stay together.
            if letter.isUppercase, words.last?.isLowercase == true { words += " " }
            words.append(letter)
        }
        return words.split(separator: " ").map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }
            .joined(separator: " ")
    }

    /// Whether the project file names the place.
    var isNamed: Bool {
        switch holder {
        case .variable(_, let isNamed), .keyFile(_, _, let isNamed): isNamed
        case .file: true
        }
    }

    /// Whether another place has the same credential: the same variable or key file.
    func hasSameCredential(as other: CredentialPlace) -> Bool {
        switch (holder, other.holder) {
        case (.variable(let own, _), .variable(let others, _)): own == others
        case (.keyFile(let own?, _, _), .keyFile(let others?, _, _)): own == others
        default: false
        }
    }

    /// Whether the credential is a key file.
    var isKeyFile: Bool { if case .keyFile = holder { true } else { false } }

    /// The path of a key file; `nil` for other places.
    var path: String? { if case .keyFile(let path, _, _) = holder { path } else { nil } }

    /// The setting that determines the place, for messages about how to fix it.
    var naming: String {
        switch holder {
        case .variable: place
        case .file(_, let member): "\"\(member)\" in flagmenu.json"
        case .keyFile(_, let naming, _): naming
        }
    }
}

// Where credentials are looked up, in order of precedence.
extension SourceSettings {
    /// The place of each credential that the kind of source declares.
    var credentials: [CredentialPlace] { (kind?.credentials ?? []).compactMap { credential($0.name) } }

    /// The places of the credentials that are used; empty for a file.
    var usedCredentials: [CredentialPlace] { kind?.usedCredentials(self) ?? [] }

    /// The place of a credential; `nil` if the kind has none with that name.
    func credential(_ name: String) -> CredentialPlace? {
        guard let usualVariable = kind?.credentials.first(where: { $0.name == name })?.variable else { return nil }
        func place(of variable: String, isNamed: Bool) -> CredentialPlace {
            CredentialPlace(
                name: name, place: VariableName.shown(variable, member: "\(name)Variable"),
                isThere: self.variable(variable) != nil, holder: .variable(variable, isNamed: isNamed))
        }
        if let named = text("\(name)Variable") { return place(of: named, isNamed: true) }
        let member = "\(name)File"
        guard let file = text(member) else { return place(of: usualVariable, isNamed: false) }
        return CredentialPlace(
            name: name, place: CredentialFile.shown(file, member: member, in: folder),
            isThere: CredentialFile.isThere(file, in: folder), holder: .file(file, member: member))
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
                isThere: path != nil, holder: .keyFile(path: path, naming: naming, isNamed: isNamed), isSecret: isSecret
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
    func file(of place: CredentialPlace) -> String? {
        switch place.holder {
        case .variable: nil
        case .file(let text, _): CredentialFile.path(text, in: folder)
        case .keyFile(let path, _, _): path.map { FilePath.resolve($0, in: environment.workingDirectory) }
        }
    }

    /// Where to put missing credentials, as sentences.
    func remedies(forMissing missing: [CredentialPlace]) -> [String] {
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
