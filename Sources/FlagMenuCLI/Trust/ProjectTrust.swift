import DeveloperMenu
import FlagModel
import FlagStorage
import Flags

/// Whether the user trusts a project file: it is found from the working directory upward, so it may be of another user
/// of the machine or from a cloned repository, and it decides where credentials are sent.
struct ProjectTrust {
    private let path: String
    /// The path with all links resolved, which identifies the file.
    private let project: String
    private let projects: TrustedProjects
    private let environment: Environment

    init(_ path: String, _ environment: Environment) {
        self.path = path
        project = FilePath.join(DurableFile.realPath(FilePath.folder(of: path)), FilePath.name(of: path))
        projects = TrustedProjects(environment)
        self.environment = environment
    }

    /// Whether the file, or a link in its place, belongs to another user who is not trusted. Root may change any file
    /// anyway, and a user who became root by sudo counts as themselves.
    var isForeign: Bool {
        get throws(CommandFailure) {
            try !untrusted(DurableFile.owners(of: path)).isEmpty
        }
    }

    /// The other users among owners who are not trusted.
    private func untrusted(_ owners: Set<UInt32>) throws(CommandFailure) -> [UInt32] {
        let foreign = foreign(owners)
        guard !foreign.isEmpty else { return [] }
        let allowed = try projects.allowed(to: project) ?? []
        return foreign.filter { !allowed.contains(Self.words(forOwner: $0)) }
    }

    private func foreign(_ owners: Set<UInt32>) -> [UInt32] {
        var own: Set<UInt32> = [0, ProcessEnvironment.userNumber]
        if own == [0], let user = environment["SUDO_UID"].flatMap({ UInt32($0) }) { own.insert(user) }
        return owners.subtracting(own).sorted()
    }

    private static func words(forOwner user: UInt32) -> String {
        "to belong to \(ProcessEnvironment.userName(of: user))"
    }

    private var command: String { "flagmenu trust \(ShellCommand.word(path))" }

    /// Requires that the file belongs to the user, or to a trusted one.
    ///
    /// - Parameter owners: the owners of the read file, as the path may have another file by now.
    func requireOwner(among owners: Set<UInt32>) throws(CommandFailure) {
        let untrusted = try untrusted(owners)
        guard !untrusted.isEmpty else { return }
        let names = untrusted.map { ProcessEnvironment.userName(of: $0) }.joined(separator: " and ")
        throw CommandFailure(
            .usage,
            "\(path) belongs to another user, \(names), and decides what this program does with your credentials and overrides, so "
                + "nothing was read from it. If you trust it, \(command) allows it; otherwise work in another folder.")
    }

    /// Requires that the file has permissions.
    func require(_ permissions: [ProjectPermission], isAsking: Bool) throws(CommandFailure) {
        guard !permissions.isEmpty else { return }
        let allowed = try projects.allowed(to: project) ?? []
        let new = permissions.filter { !allowed.contains($0.stored) }
        guard !new.isEmpty else { return }
        if isAsking, Ask.isPossible {
            StandardError.say("\(path) has not been allowed yet to:")
            new.forEach { StandardError.say("  \($0.shown)") }
            guard Ask.agreement("Allow it from now on?") else {
                throw CommandFailure(.usage, "Nothing was sent or changed. \(command) allows it later.")
            }
            try projects.allow(new.map(\.stored), to: project)
            return
        }
        throw CommandFailure(
            .usage,
            "\(path) has not been allowed yet to \(new.map(\.shown).joined(separator: ", to ")). Nothing was sent or changed. "
                + "Look at the file; if you trust it, \(command) allows it.")
    }

    /// Gives the file permissions, and trusts its owners.
    ///
    /// - Returns: what was allowed, in words.
    func allow(_ permissions: [ProjectPermission]) throws(CommandFailure) -> [String] {
        let owners = foreign(DurableFile.owners(of: path)).map(Self.words(forOwner:))
        let words = owners + permissions.map { "to \($0.shown)" }
        guard !words.isEmpty else { return [] }
        try projects.allow(owners + permissions.map(\.stored), to: project)
        return words
    }

    /// Revokes all permissions of the file.
    ///
    /// - Returns: whether there were any.
    func revoke() throws(CommandFailure) -> Bool { try projects.revoke(project) }
}
