import FlagModel
import FlagStorage

/// The user's permissions for project files, in `trusted.json` in the usual folder of `config.json`. Only this user can
/// read the file.
package struct TrustedProjects {
    /// The version of the file format.
    private static let format = 1

    package let path: String

    package init(_ environment: Environment) {
        path = FilePath.join(FilePath.folder(of: environment.configurationFile), "trusted.json")
    }

    /// The stored permissions of a project file; `nil` if it has none.
    func allowed(to project: FlagText) throws(CommandFailure) -> Set<FlagText>? {
        let bytes = try CommandFailure.converting(to: .usage) {
            try DurableFile.read(path)
        } sentence: {
            "\($0) Permissions of project files are unknown, so nothing was sent."
        }
        return try Self.projects(in: bytes, path).first { $0.project == project }.map { Set($0.allowed) }
    }

    /// Adds permissions to a project file.
    func allow(_ permissions: [FlagText], to project: FlagText) throws(CommandFailure) {
        try change { projects in
            let current = projects.first { $0.project == project }?.allowed ?? []
            projects.removeAll { $0.project == project }
            projects.append((project, current + permissions.filter { !current.contains($0) }))
        }
    }

    /// Revokes all permissions of a project file.
    ///
    /// - Returns: whether the project file had permissions.
    func revoke(_ project: FlagText) throws(CommandFailure) -> Bool {
        var hadPermissions = false
        try change { projects in
            hadPermissions = projects.contains { $0.project == project }
            projects.removeAll { $0.project == project }
        }
        return hadPermissions
    }

    /// A project file and its permissions. As bytes, because paths that differ in their Unicode form may be two files.
    private typealias Entry = (project: FlagText, allowed: [FlagText])

    private func change(_ edit: (inout [Entry]) -> Void) throws(CommandFailure) {
        var result: Result<[UInt8], CommandFailure>?
        try CommandFailure.converting(to: .store) {
            try DurableFile.update(path) { bytes in
                result = Result { () throws(CommandFailure) in
                    var projects = try Self.projects(in: bytes, path)
                    edit(&projects)
                    return Array(Self.text(projects).utf8)
                }
                return try? result?.get()
            }
        }
        _ = try result?.get()
    }

    private static func text(_ projects: [Entry]) -> String {
        let members = projects.map {
            ($0.project.string, JSONOutput.array($0.allowed.map { .string($0.string) }))
        }
        return JSONOutput.object([("format", .integer(format)), ("projects", .object(members))]).text() + "\n"
    }

    private static func projects(in bytes: [UInt8]?, _ path: String) throws(CommandFailure) -> [Entry] {
        guard let bytes else { return [] }
        func words(_ sentence: String) -> String {
            "\(path): \(sentence) It lists the permissions of project files, so nothing was sent or changed. "
                + "Fix it or remove it."
        }
        let root = try CommandFailure.converting(
            to: .usage, { try JSONDocument(parsing: bytes).root }, sentence: { words($0.asSentence) })
        guard root["format"]?.source == String(format), let projects = root["projects"], projects.kind == .object else {
            throw CommandFailure(.usage, words("This version cannot read this format."))
        }
        return projects.members.map { ($0.key, $0.value.elements.compactMap(\.text)) }
    }
}
