import FlagModel
import FlagSourceSupport
import FlagStorage

/// Where something is looked for that lets in. Its text is not read.
struct CredentialPlace {
    /// A file that is read as a whole, with a form of its own.
    struct KeyFile {
        /// Its path, as errors name it.
        let path: String
        /// What names it, such as `the variable GOOGLE_APPLICATION_CREDENTIALS`.
        let naming: String
    }

    /// Its name, such as `token`.
    let name: String
    /// Where it is looked for, such as `the variable OFREP_TOKEN`.
    let place: String
    /// Whether there is anything.
    let isThere: Bool
    /// The member of the project file's entry that names it as a file with nothing else; `nil` where none does.
    var member: String?
    /// The file that it is; `nil` for a text in a variable, or in a file with nothing else.
    var keyFile: KeyFile?
}

/// Finds the credentials of a source, in the order in which the source itself does.
struct CredentialSearch {
    let setting: SourceSetting
    let environment: Environment

    /// A member of the project file's entry that is a text.
    func text(_ member: String) -> String? { setting.member(member)?.text?.string }

    /// The place of each credential that the kind of source has.
    var all: [CredentialPlace] { (setting.kind?.credentials ?? []).compactMap { credential($0.name) } }

    /// The place of one of them; `nil` where the kind of source has none of that name.
    func credential(_ name: String) -> CredentialPlace? {
        guard let usual = setting.kind?.credentials.first(where: { $0.name == name })?.variable else { return nil }
        func variable(_ variable: String) -> CredentialPlace {
            CredentialPlace(
                name: name, place: VariableName.shown(variable, member: "\(name)Variable"),
                isThere: environment[variable] != nil)
        }
        if let named = text("\(name)Variable") { return variable(named) }
        guard let file = text("\(name)File") else { return variable(usual) }
        return CredentialPlace(
            name: name, place: CredentialFile.shown(file, member: "\(name)File", in: setting.folder),
            isThere: CredentialFile.isThere(file, in: setting.folder), member: "\(name)File")
    }

    /// The place of a file that a member names, or else a variable; `nil` where neither does.
    ///
    /// - Parameter name: what is in it.
    func file(_ name: String, member: String? = nil, variable: String? = nil) -> CredentialPlace? {
        func place(_ path: String, _ words: String, _ naming: String) -> CredentialPlace {
            CredentialPlace(
                name: name, place: "the file \(path)\(words)", isThere: true, keyFile: .init(path: path, naming: naming)
            )
        }
        if let member, let text = text(member) {
            guard let path = CredentialFile.path(text, in: setting.folder) else {
                return CredentialPlace(name: name, place: "the file that \"\(member)\" names", isThere: false)
            }
            return place(path, "", "\"\(member)\" in flagmenu.json")
        }
        guard let variable, let text = environment[variable] else { return nil }
        guard CredentialFile.path(text, in: environment.workingDirectory) != nil else {
            return CredentialPlace(name: name, place: "the file that the variable \(variable) names", isThere: false)
        }
        return place(text, " of \(variable)", "the variable \(variable)")
    }
}
