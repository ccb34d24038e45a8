import FlagModel
import FlagRemote
import FlagStorage

/// Where something is looked for that lets in. Its text is not read.
struct CredentialPlace {
    /// What holds it.
    enum Holder {
        /// A variable whose text it is, and whether the project file names that.
        case variable(String, isNamed: Bool)
        /// A file with nothing else in it, as a member of the project file's entry has its path.
        case file(String, member: String)
        /// A file that is read as a whole, with a form of its own: its path, as errors name it, and what names it, such as
        /// `the variable GOOGLE_APPLICATION_CREDENTIALS`. There is no path where the credential itself stands in its place.
        case keyFile(path: String?, naming: String)
    }

    /// Its name, such as `token`.
    let name: String
    /// Where it is looked for, such as `the variable OFREP_TOKEN`.
    let place: String
    /// Whether there is anything.
    let isThere: Bool
    let holder: Holder

    /// Whether it is a file with a form of its own.
    var isKeyFile: Bool { if case .keyFile = holder { true } else { false } }

    /// The path of a file with a form of its own; `nil` for all else.
    var path: String? { if case .keyFile(let path, _) = holder { path } else { nil } }

    /// What says where it is, for whoever corrects that.
    var naming: String {
        switch holder {
        case .variable: place
        case .file(_, let member): "\"\(member)\" in flagmenu.json"
        case .keyFile(_, let naming): naming
        }
    }
}

/// Finds the credentials of a source, in the order in which they count.
struct CredentialSearch: Sendable {
    let setting: SourceSetting
    let environment: Environment

    /// A member of the project file's entry that is a text.
    func text(_ member: String) -> String? { setting.member(member)?.text?.string }

    /// The place of each credential that the kind of source has.
    var all: [CredentialPlace] { (setting.kind?.credentials ?? []).compactMap { credential($0.name) } }

    /// Those of them that count; empty for a file.
    var used: [CredentialPlace] { setting.kind?.usedCredentials(self) ?? [] }

    /// The place of one of them; `nil` where the kind of source has none of that name.
    func credential(_ name: String) -> CredentialPlace? {
        guard let usual = setting.kind?.credentials.first(where: { $0.name == name })?.variable else { return nil }
        func variable(_ variable: String, isNamed: Bool) -> CredentialPlace {
            CredentialPlace(
                name: name, place: VariableName.shown(variable, member: "\(name)Variable"),
                isThere: environment[variable] != nil, holder: .variable(variable, isNamed: isNamed))
        }
        if let named = text("\(name)Variable") { return variable(named, isNamed: true) }
        let member = "\(name)File"
        guard let file = text(member) else { return variable(usual, isNamed: false) }
        return CredentialPlace(
            name: name, place: CredentialFile.shown(file, member: member, in: setting.folder),
            isThere: CredentialFile.isThere(file, in: setting.folder), holder: .file(file, member: member))
    }

    /// The place of a file that a member names, or else a variable; `nil` where neither does.
    ///
    /// - Parameter name: what is in it.
    func file(_ name: String, member: String? = nil, variable: String? = nil) -> CredentialPlace? {
        func place(_ path: String?, _ words: String, by naming: String) -> CredentialPlace {
            CredentialPlace(
                name: name, place: path.map { "the file \($0)\(words)" } ?? "the file that \(naming) names",
                isThere: path != nil, holder: .keyFile(path: path, naming: naming))
        }
        if let member, let text = text(member) {
            return place(CredentialFile.path(text, in: setting.folder), "", by: "\"\(member)\" in flagmenu.json")
        }
        guard let variable, let text = environment[variable] else { return nil }
        // Errors name a file as its variable does, whatever folder that starts from.
        let isPath = CredentialFile.path(text, in: environment.workingDirectory) != nil
        return place(isPath ? text : nil, " of \(variable)", by: "the variable \(variable)")
    }
}

extension CredentialSearch {
    /// Where to put credentials that are not there.
    func remedies(forMissing missing: [CredentialPlace]) -> [String] {
        let remedies = missing.map { credential in
            // The file of a key has no variable for its content.
            let members =
                credential.isKeyFile
                ? "" : ", or name another place with \"\(credential.name)Variable\" or \"\(credential.name)File\""
            return "Put the \(credential.name) into \(credential.place)\(members)."
        }
        guard let keyFile = setting.kind?.keyFile, !used.contains(where: \.isKeyFile) else { return remedies }
        return remedies + keyFile.files.map { "Or name \($0.title) with \"\($0.member)\"." }
    }
}
