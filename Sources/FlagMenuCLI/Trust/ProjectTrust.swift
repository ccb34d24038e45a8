import FlagModel
import FlagQueries
import FlagStorage
import Flags

/// Checks whether the user trusts a project file. The file decides where credentials are sent. It is searched from the
/// working directory upward, so it may belong to another user of the machine or to a cloned repository.
struct ProjectTrust {
    private let path: String
    /// The path with all links resolved, which identifies the file.
    private let project: FlagText
    private let projects: TrustedProjects
    private let environment: Environment

    init(_ path: String, _ environment: Environment) {
        self.path = path
        project = FlagText(
            FilePath.join(DurableFile.destination(of: FilePath.folder(of: path)), FilePath.name(of: path)))
        projects = TrustedProjects(environment)
        self.environment = environment
    }

    /// Whether the file, or a link to it, belongs to another user who is not trusted. Root is always trusted, because
    /// it can change any file; with sudo, the user who ran sudo is trusted, too.
    var isForeign: Bool {
        get throws(CommandFailure) {
            try !untrusted(owners()).isEmpty
        }
    }

    /// The owners of the file and of a link to it.
    private func owners() throws(CommandFailure) -> Set<UInt32> {
        try CommandFailure.converting(to: .usage) { try DurableFile.owners(of: path) }
    }

    /// The owners who are neither this user nor trusted.
    private func untrusted(_ owners: Set<UInt32>) throws(CommandFailure) -> [UInt32] {
        let foreign = foreign(owners)
        guard !foreign.isEmpty else { return [] }
        let allowed = try projects.allowed(to: project) ?? []
        return foreign.filter { !allowed.contains(FlagText(Self.label(forOwner: $0))) }
    }

    /// The owners other than this user and root.
    private func foreign(_ owners: Set<UInt32>) -> [UInt32] {
        var ownNumbers: Set<UInt32> = [0, ProcessEnvironment.userNumber]
        if ownNumbers == [0], let user = environment["SUDO_UID"].flatMap({ UInt32($0) }) { ownNumbers.insert(user) }
        return owners.subtracting(ownNumbers).sorted()
    }

    /// The stored permission that lets the file belong to a user.
    private static func label(forOwner user: UInt32) -> String {
        "to belong to \(ProcessEnvironment.userName(of: user))"
    }

    private var command: String { "flagmenu trust \(ShellCommand.word(path))" }

    /// Requires that all owners of the file are this user or trusted.
    ///
    /// - Parameter owners: the owners of the file when it was read. Another file may have replaced it since.
    func requireOwner(among owners: Set<UInt32>) throws(CommandFailure) {
        let untrusted = try untrusted(owners)
        guard !untrusted.isEmpty else { return }
        let names = untrusted.map { ProcessEnvironment.userName(of: $0) }.joined(separator: " and ")
        throw CommandFailure(
            .usage,
            "\(path) belongs to another user, \(names), and decides what this program does with your credentials and overrides, so "
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

    /// Gives the file permissions, and trusts its owners.
    ///
    /// - Returns: the new permissions, in words.
    func allow(_ permissions: [ProjectPermission]) throws(CommandFailure) -> [String] {
        let owners = try foreign(owners()).map(Self.label(forOwner:))
        let words = owners + permissions.map { "to \($0.shown)" }
        guard !words.isEmpty else { return [] }
        try projects.allow(owners.map { FlagText($0) } + permissions.map(\.stored), to: project)
        return words
    }

    /// Revokes all permissions of the file.
    ///
    /// - Returns: whether the file had permissions.
    func revoke() throws(CommandFailure) -> Bool { try projects.revoke(project) }
}
