import DeveloperMenu
import FlagModel
import FlagStorage
import Flags

/// Whether the user trusts a project file: it is found from the working directory upward, so it may be of another user of the
/// machine or out of a cloned repository, and it decides where credentials go.
struct ProjectTrust {
    private let path: String
    /// The path with all links followed, by which the file is known.
    private let project: String
    private let projects: TrustedProjects
    private let environment: Environment

    init(_ path: String, _ environment: Environment) {
        self.path = path
        project = FilePath.join(DurableFile.realPath(FilePath.folder(of: path)), FilePath.name(of: path))
        projects = TrustedProjects(environment)
        self.environment = environment
    }

    /// Whether the file, or a link in its place, belongs to another user whom this one has not said to trust. Root may change any file
    /// as it is, and whoever became root by sudo is still themselves.
    var isForeign: Bool {
        get throws(CommandFailure) {
            let strangers = self.strangers
            guard !strangers.isEmpty else { return false }
            let allowed = try projects.allowed(to: project) ?? []
            return !strangers.allSatisfy { allowed.contains(Self.words(forOwner: $0)) }
        }
    }

    private var strangers: [UInt32] {
        var own: Set<UInt32> = [0, ProcessEnvironment.userNumber]
        if own == [0], let user = environment["SUDO_UID"].flatMap({ UInt32($0) }) { own.insert(user) }
        return DurableFile.owners(of: path).subtracting(own).sorted()
    }

    private static func words(forOwner user: UInt32) -> String {
        "to belong to \(ProcessEnvironment.userName(of: user))"
    }

    private var command: String { "flagmenu trust \(ShellCommand.word(path))" }

    /// Requires that the file belongs to the user, or to somebody whom they trust.
    func requireOwner() throws(CommandFailure) {
        guard try isForeign else { return }
        let names = strangers.map { ProcessEnvironment.userName(of: $0) }.joined(separator: " and ")
        throw CommandFailure(
            .usage,
            "\(path) belongs to another user, \(names), and decides what this program does with your credentials and overrides, so "
                + "nothing was read from it. If you trust it, \(command) allows it; otherwise work in another folder.")
    }

    /// Requires that the file is allowed to use credentials so.
    func require(_ uses: [CredentialUse], isAsking: Bool) throws(CommandFailure) {
        guard !uses.isEmpty else { return }
        let allowed = try projects.allowed(to: project) ?? []
        let new = uses.map(\.words).filter { !allowed.contains($0) }
        guard !new.isEmpty else { return }
        if isAsking, Ask.isPossible {
            StandardError.say("\(path) has not been allowed yet to send:")
            new.forEach { StandardError.say("  \($0)") }
            guard Ask.agreement("Allow it from now on?") else {
                throw CommandFailure(.usage, "Nothing was sent. \(command) allows it later.")
            }
            try projects.allow(new, to: project)
            return
        }
        throw CommandFailure(
            .usage,
            "\(path) has not been allowed yet to send \(new.joined(separator: ", ")). Nothing was sent. Look at the file; if you "
                + "trust it, \(command) allows it.")
    }

    /// Allows the file to use credentials so, and to belong to whom it belongs.
    ///
    /// - Returns: what was allowed, in words.
    func allow(_ uses: [CredentialUse]) throws(CommandFailure) -> [String] {
        let words = strangers.map(Self.words(forOwner:)) + uses.map { "to send \($0.words)" }
        guard !words.isEmpty else { return [] }
        try projects.allow(strangers.map(Self.words(forOwner:)) + uses.map(\.words), to: project)
        return words
    }

    /// Takes back all that the file is allowed.
    ///
    /// - Returns: whether there was anything.
    func revoke() throws(CommandFailure) -> Bool { try projects.revoke(project) }
}
