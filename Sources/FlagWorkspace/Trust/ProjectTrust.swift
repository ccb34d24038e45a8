import FlagModel
import FlagQueries
import FlagStorage
import Flags

/// Checks whether the user trusts a project file. The file decides where credentials are sent. It is searched from the
/// working directory upward, so it may belong to another user of the machine or to a cloned repository.
package struct ProjectTrust {
    private let path: String
    /// The path with all links resolved, which identifies the file.
    private let project: FlagText
    private let projects: TrustedProjects
    private let environment: Environment

    package init(_ path: String, _ environment: Environment) {
        self.path = path
        project = FlagText(
            FilePath.join(DurableFile.destination(of: FilePath.folder(of: path)), FilePath.name(of: path)))
        projects = TrustedProjects(environment)
        self.environment = environment
    }

    /// Whether the file belongs to another user who is not trusted.
    package var isForeign: Bool {
        get throws(CommandFailure) {
            try untrusted(DurableFile.status(of: path)?.owner) != nil
        }
    }

    /// The owner, if that is neither this user nor trusted.
    private func untrusted(_ owner: UInt32?) throws(CommandFailure) -> UInt32? {
        guard let foreign = foreign(owner) else { return nil }
        let allowed = try projects.allowed(to: project) ?? []
        return allowed.contains(FlagText(Self.label(forOwner: foreign))) ? nil : foreign
    }

    /// The owner, if that is neither this user nor root, who can change any file. With sudo, files of the user who ran
    /// sudo are this user's own.
    private func foreign(_ owner: UInt32?) -> UInt32? {
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
    func requireOwner(_ owner: UInt32?) throws(CommandFailure) {
        guard let untrusted = try untrusted(owner) else { return }
        throw CommandFailure(
            .usage,
            "\(path) belongs to another user, \(ProcessEnvironment.userName(of: untrusted)), and decides what this program does with your credentials and overrides, so "
                + "nothing was read from it. If you trust it, \(command) allows it; otherwise work in another folder.")
    }

    /// The permissions that the user has not given.
    private func missing(_ permissions: [ProjectPermission]) throws(CommandFailure) -> [ProjectPermission] {
        guard !permissions.isEmpty else { return [] }
        let allowed = try projects.allowed(to: project) ?? []
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
            try projects.allow(missing.map(\.stored), to: project)
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
        let owner = [foreign(DurableFile.status(of: path)?.owner).map(Self.label(forOwner:))].compactMap { $0 }
        let words = owner + permissions.map { "to \($0.shown)" }
        guard !words.isEmpty else { return [] }
        try projects.allow(owner.map { FlagText($0) } + permissions.map(\.stored), to: project)
        return words
    }

    /// Revokes all permissions of the file.
    ///
    /// - Returns: whether the file had permissions.
    package func revoke() throws(CommandFailure) -> Bool { try projects.revoke(project) }
}
