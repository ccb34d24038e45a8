import ArgumentParser
import FlagRemote
import Foundation
import TestSupport
import Testing

@testable import FlagMenuCLI
@testable import FlagWorkspace

extension Workplace {
    /// The environment of a program that runs here.
    var started: Environment {
        Environment(variables: environment, workingDirectory: path, homeDirectory: home)
    }

    /// The settings of a program that runs here.
    func settings(_ options: GlobalOptions? = nil) throws -> Settings {
        try Settings((options ?? GlobalOptions.parse([])).values, environment: started)
    }

    /// Writes the user's configuration file.
    func configure(_ text: String) { write(text, to: "\(home)/.config/flagmenu/config.json") }

    /// Writes a project file and trusts it, so that it may use credentials.
    ///
    /// - Parameter environment: variables besides those that all commands get.
    func writeTrusted(_ project: String, environment: [String: String?] = [:]) {
        write(project, to: "flagmenu.json")
        _ = flagmenu("trust --quiet", environment: environment)
    }

    /// Writes and trusts the project file of an app with one source.
    ///
    /// - Parameter members: the settings of the source, as members of a JSON object.
    func writeSource(_ name: String, _ members: String = "", environment: [String: String?] = [:]) {
        let more = members.isEmpty ? "" : ", \(members)"
        writeTrusted(#"{"app": "shop", "source": {"source": "\#(name)"\#(more)}}"#, environment: environment)
    }

    /// Writes and trusts the project file of an app with several sources, each a JSON object or string.
    func writeSources(_ sources: [String], environment: [String: String?] = [:]) {
        writeTrusted(
            #"{"app": "shop", "sources": [\#(sources.joined(separator: ", "))]}"#, environment: environment)
    }

    /// Expects that no report shows a secret.
    func expectReportsHide(_ secret: String, key: String, environment: [String: String?] = [:]) {
        for line in [
            "list", "status", "status --json", "status --files", "status --files --json", "doctor", "doctor --json",
            "explain \(key) --json", "export",
        ] { flagmenu(line, environment: environment).expect(without: secret, comment: line) }
    }

    /// Expects that no file in the home folder has a secret.
    func expectNotSaved(_ secret: String) {
        shell("! grep -rl -e '\(secret)' '\(home)'").expect(0, comment: "saved on disk")
    }

    /// Runs `flagmenu` with words divided by spaces on a terminal, where a user types some lines.
    func onTerminal(
        _ line: String, typing lines: [String] = [], environment: [String: String?] = [:], timeout: Double = 20
    ) -> CommandRun {
        flagmenu(
            line.split(separator: " ").map(String.init), input: lines.map { $0 + "\n" }.joined(),
            environment: environment, isOnTerminal: true, timeout: timeout)
    }

    /// Starts `flagmenu` here. Its output goes to the file `lines`, its errors to the file `words`.
    func start(_ arguments: [String], environment: [String: String?] = [:]) throws -> ChildProcess {
        let streams = [
            open("/dev/null", O_RDONLY), creat(place("lines"), 0o600), creat(place("words"), 0o600),
        ]
        defer { streams.forEach { close($0) } }
        return try #require(
            ChildProcess(
                [Self.flagmenu] + arguments, changed(environment), directory: path, streams: streams))
    }
}
