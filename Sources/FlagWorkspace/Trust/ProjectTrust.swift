import FlagModel
import FlagQueries
import FlagStorage
import Flags

/// Checks whether the user trusts a project file. The file decides where credentials are sent. It is searched from the
/// working directory upward, so it may belong to another user of the machine or to a cloned repository.
///
/// The user's permissions for project files are in `trusted.json` in the usual folder of `config.json`. Only this user
/// can read the file.
package struct ProjectTrust {
    private let path: String
    /// The path with all links resolved, which identifies the file.
    private let project: String
    /// The path of the file with the permissions.
    private let list: String
    private let environment: Environment

    package init(_ path: String, _ environment: Environment) {
        self.path = path
        project = FilePath.join(DurableFile.destination(of: FilePath.folder(of: path)), FilePath.name(of: path))
        list = Self.list(environment)
        self.environment = environment
    }

    /// Whether the file belongs to another user who is not trusted.
    package var isForeign: Bool {
        get throws(CommandFailure) { try untrustedOwner() != nil }
    }

    /// The owner, if that is neither this user nor trusted.
    private func untrustedOwner() throws(CommandFailure) -> UInt32? {
        guard let foreignOwner else { return nil }
        return try allowed().contains(FlagText(Self.label(forOwner: foreignOwner))) ? nil : foreignOwner
    }

    /// The owner, if that is neither this user nor root, who can change any file. With sudo, files of the user who ran
    /// sudo are this user's own.
    private var foreignOwner: UInt32? {
        let owner = DurableFile.status(of: path)?.owner
        let user = ProcessEnvironment.userNumber
        let ownNumbers = [0, user, user == 0 ? environment["SUDO_UID"].flatMap { UInt32($0) } : nil]
        return ownNumbers.contains(owner) ? nil : owner
    }

    /// The stored permission that lets the file belong to a user.
    private static func label(forOwner user: UInt32) -> String {
        "to belong to \(ProcessEnvironment.userName(of: user))"
    }

    private var command: String { "flagmenu trust \(ShellCommand.word(path))" }

    /// Requires that the owner of the file is this user or trusted.
    func requireOwner() throws(CommandFailure) {
        guard let untrusted = try untrustedOwner() else { return }
        throw CommandFailure(
            .usage,
            "\(path) belongs to another user, \(ProcessEnvironment.userName(of: untrusted)), and decides what this program does with your credentials and overrides, so "
                + "nothing was read from it. If you trust it, \(command) allows it; otherwise work in another folder.")
    }

    /// The permissions that the user has not given.
    private func missing(_ permissions: [ProjectPermission]) throws(CommandFailure) -> [ProjectPermission] {
        guard !permissions.isEmpty else { return [] }
        let allowed = try allowed()
        return permissions.filter { !allowed.contains($0.stored) }
    }

    /// Whether the user has given all permissions; `false` if that is not known.
    func allows(_ permissions: [ProjectPermission]) -> Bool { (try? missing(permissions))?.isEmpty == true }

    /// Prompts for missing permissions, or throws an error.
    ///
    /// - Parameter isPrompting: whether to prompt the user on a terminal for missing permissions.
    func require(_ permissions: [ProjectPermission], isPrompting: Bool) throws(CommandFailure) {
        let missing = try missing(permissions)
        guard !missing.isEmpty else { return }
        if isPrompting, TerminalPrompt.isPossible {
            StandardError.printLine("\(path) has not been allowed yet to:")
            missing.forEach { StandardError.printLine("  \($0.shown)") }
            guard TerminalPrompt.agreement("Allow it from now on?") else {
                throw CommandFailure(.usage, "Nothing was sent or changed. \(command) allows it later.")
            }
            try allow(missing.map(\.stored))
            return
        }
        throw CommandFailure(
            .usage,
            "\(path) has not been allowed yet to \(missing.map(\.shown).joined(separator: ", to ")). Nothing was sent or changed. "
                + "Look at the file; if you trust it, \(command) allows it.")
    }

    /// Gives the file permissions, and trusts its owner.
    ///
    /// - Returns: the new permissions, in words.
    package func allow(_ permissions: [ProjectPermission]) throws(CommandFailure) -> [String] {
        let owner = [foreignOwner.map(Self.label(forOwner:))].compactMap { $0 }
        let words = owner + permissions.map { "to \($0.shown)" }
        guard !words.isEmpty else { return [] }
        try allow(owner.map { FlagText($0) } + permissions.map(\.stored))
        return words
    }

    /// Revokes all permissions of the file.
    ///
    /// - Returns: whether the file had permissions.
    package func revoke() throws(CommandFailure) -> Bool {
        var hadPermissions = false
        try change {
            hadPermissions = $0 != nil
            $0 = nil
        }
        return hadPermissions
    }
}

// The file with the permissions of all project files.
extension ProjectTrust {
    /// The version of the file format.
    private static let format = 1

    /// The path of the file.
    package static func list(_ environment: Environment) -> String {
        FilePath.join(FilePath.folder(of: environment.configurationFile), "trusted.json")
    }

    /// The stored permissions of the project file.
    private func allowed() throws(CommandFailure) -> Set<FlagText> {
        let bytes = try CommandFailure.converting(to: .usage) {
            try DurableFile.read(list)
        } sentence: {
            "\($0) Permissions of project files are unknown, so nothing was sent."
        }
        return Set(try permissions(in: bytes)[project] ?? [])
    }

    /// Adds permissions to those of the project file.
    private func allow(_ permissions: [FlagText]) throws(CommandFailure) {
        try change { current in
            let old = current ?? []
            current = old + permissions.filter { !old.contains($0) }
        }
    }

    /// Changes the stored permissions of the project file; `nil` if it has none.
    private func change(_ edit: (inout [FlagText]?) -> Void) throws(CommandFailure) {
        var failure: CommandFailure?
        try CommandFailure.converting(to: .store) {
            try DurableFile.update(list) { bytes in
                do throws(CommandFailure) {
                    var projects = try permissions(in: bytes)
                    edit(&projects[project])
                    let members = projects.sortedByKey.map {
                        ($0.key, JSONOutput.array($0.value.map { .string($0.string) }))
                    }
                    let root = JSONOutput.object([("format", .integer(Self.format)), ("projects", .object(members))])
                    return Array((root.text() + "\n").utf8)
                } catch {
                    failure = error
                    return nil
                }
            }
        }
        if let failure { throw failure }
    }

    /// The permissions by project file. Paths that differ in their Unicode form may be two files.
    private func permissions(in bytes: [UInt8]?) throws(CommandFailure) -> FlagTable<[FlagText]> {
        guard let bytes else { return [:] }
        func words(_ sentence: String) -> String {
            "\(list): \(sentence) It lists the permissions of project files, so nothing was sent or changed. "
                + "Fix it or remove it."
        }
        let root = try CommandFailure.converting(
            to: .usage, { try JSONDocument(parsing: bytes).root }, sentence: { words($0.asSentence) })
        guard root["format"]?.source == String(Self.format), let projects = root["projects"], projects.kind == .object
        else { throw CommandFailure(.usage, words("This version cannot read this format.")) }
        return projects.members.reduce(into: [:]) { table, member in
            if table[member.key] == nil { table[member.key.string] = member.value.elements.compactMap(\.text) }
        }
    }
}
