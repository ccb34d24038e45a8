import ArgumentParser
import FlagModel
import FlagWorkspace

struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "trust", abstract: "Allow a project's flagmenu.json to use your files and credentials.",
        usage: "flagmenu trust [<file>] [--revoke] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu trust
              flagmenu trust ~/src/shop/flagmenu.json
              flagmenu trust --revoke

            A flagmenu.json from a cloned repository can name any address, variable or file. The first time it would \
            read a file outside its folder, keep overrides there, send a credential to an address that it names, or \
            read one from an unusual variable, you are asked. Without a terminal, nothing is read or sent until this \
            command allows it. A flagmenu.json of another user is not read until then. Paths that you type need no \
            permission.

            A permission is for one file, or for one credential and one address. If flagmenu.json names another one, \
            you are asked again.
            """)

    @Argument(help: "The flagmenu.json; the nearest one from here upward by default.", completion: .file())
    var file: String?

    @Flag(help: "Revoke all permissions of the file.")
    var revoke = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let environment = Environment.current()
        let project = try projectFile(environment)
        let path = project.path
        let trust = ProjectTrust(path, environment)
        var allowed: [String] = []
        let sentence: String
        if revoke {
            sentence = try trust.revoke() ? "\(path) is no longer trusted." : "\(path) had no permissions."
        } else {
            allowed = try trust.allow(ProjectFile(project.bytes, path: path, environment).permissions(environment))
            sentence =
                allowed.isEmpty
                ? "\(path) needs no permission: it is yours, names no file outside its folder, and sends credentials only to the "
                    + "service's own address."
                : "\(path) is allowed:"
        }
        options.print(
            .object([("project", .string(path)), ("allowed", .array(allowed.map(JSONOutput.string)))]),
            or: options.quiet ? [] : [sentence] + allowed.map { "  \($0)" })
    }

    /// The project file that the argument names, or the nearest one.
    private func projectFile(
        _ environment: Environment
    ) throws(CommandFailure) -> (path: String, bytes: [UInt8]) {
        guard let file else {
            if let nearest = try ProjectFile.nearest(environment) { return nearest }
            throw CommandFailure(.usage, "There is no \(ProjectFile.name) from here upward.")
        }
        let path = FilePath.resolve(file, in: environment.workingDirectory)
        guard FilePath.name(of: path) == ProjectFile.name else {
            throw CommandFailure(.usage, "\(path) is not a \(ProjectFile.name). Name the project's file.")
        }
        guard let bytes = try ProjectFile.read(path) else { throw CommandFailure(.usage, "There is no file \(path).") }
        return (path, bytes)
    }
}
