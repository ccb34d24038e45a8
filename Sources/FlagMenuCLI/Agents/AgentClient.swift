import ArgumentParser
import FlagModel
import FlagQueries
import FlagStorage
import FlagWorkspace

/// A program with a coding agent that can start `flagmenu mcp`, and where its configuration is.
enum AgentClient: String, CaseIterable, ExpressibleByArgument {
    case claudeCode = "claude-code"
    case claudeDesktop = "claude-desktop"
    case cursor, vscode, codex

    var title: String {
        switch self {
        case .claudeCode: "Claude Code"
        case .claudeDesktop: "Claude Desktop"
        case .cursor: "Cursor"
        case .vscode: "Visual Studio Code"
        case .codex: "Codex"
        }
    }

    /// The path of the configuration file, in the project's folder if the client has one there.
    func path(_ environment: Environment) -> String {
        let (folder, home) = (environment.workingDirectory, environment.homeDirectory)
        switch self {
        case .claudeCode: return FilePath.join(folder, ".mcp.json")
        case .claudeDesktop:
            #if os(macOS)
            let place = "Library/Application Support/Claude"
            #else
            let place = ".config/Claude"
            #endif
            return FilePath.join(home, "\(place)/claude_desktop_config.json")
        case .cursor: return FilePath.join(folder, ".cursor/mcp.json")
        case .vscode: return FilePath.join(folder, ".vscode/mcp.json")
        case .codex: return FilePath.join(home, ".codex/config.toml")
        }
    }

    /// The arguments of `flagmenu`.
    ///
    /// - Parameter options: the sources and other general options.
    private func arguments(_ options: [String], _ environment: Environment) -> [String] {
        let folder: [String] =
            switch self {
            // They start it in the folder in which they work.
            case .claudeCode, .codex: []
            case .cursor, .vscode: ["--folder", "${workspaceFolder}"]
            case .claudeDesktop: ["--folder", environment.workingDirectory]
            }
        return ["mcp"] + folder + options
    }

    /// The members around the entry of a server; `nil` if the configuration is not JSON.
    private var servers: String? {
        switch self {
        case .claudeCode, .claudeDesktop, .cursor: "mcpServers"
        case .vscode: "servers"
        case .codex: nil
        }
    }

    private func entry(_ arguments: [String]) -> JSONOutput {
        let kind: [(String, JSONOutput)] = self == .vscode ? [("type", .string("stdio"))] : []
        return .object(
            kind + [("command", .string("flagmenu")), ("args", .array(arguments.map(JSONOutput.string)))])
    }

    /// What to add to the configuration.
    func text(_ options: [String], _ environment: Environment) -> String {
        let arguments = arguments(options, environment)
        guard let servers else {
            let list = JSONOutput.array(arguments.map(JSONOutput.string)).text(indented: false)
            return "[mcp_servers.flagmenu]\ncommand = \"flagmenu\"\nargs = \(list)"
        }
        return JSONOutput.object([(servers, .object([("flagmenu", entry(arguments))]))]).text()
    }

    /// Adds the entry to the configuration file. Everything else in it stays.
    ///
    /// - Throws: an error if the file cannot be read or written; it is then unchanged.
    func write(_ options: [String], _ environment: Environment) throws(CommandFailure) -> String {
        let (path, arguments) = (path(environment), arguments(options, environment))
        guard let servers else {
            let command = (["codex", "mcp", "add", "flagmenu", "--", "flagmenu"] + arguments).map(ShellCommand.word)
            throw CommandFailure(
                .usage, "\(path) is not JSON. Nothing was written. \(command.joined(separator: " ")) writes it.")
        }
        let old = try CommandFailure.converting(to: .usage) { () throws(StorageError) in try DurableFile.read(path) }
        let root = try CommandFailure.converting(to: .usage) { () throws(JSONError) in
            try old.map { bytes throws(JSONError) in try JSONDocument(parsing: bytes).root }
        } sentence: {
            "\(path) is not JSON that can be changed: \($0.asSentence) It was not changed. Add the entry by hand."
        }
        guard let new = root.adding(entry(arguments), at: [servers, "flagmenu"]) else {
            throw CommandFailure(
                .usage, "\(servers) in \(path) is not an object. The file was not changed. Add the entry by hand.")
        }
        _ = try CommandFailure.converting(to: .store) { () throws(StorageError) in
            try DurableFile.replace(path, with: Array((new.text() + "\n").utf8), audience: .everyone)
        }
        return path
    }
}

extension JSONValue? {
    /// The object with a member at a path of names, in place of the one there; `nil` if a value on the way is no object.
    fileprivate func adding(_ value: JSONOutput, at path: some Collection<String>) -> JSONOutput? {
        guard let name = path.first else { return value }
        let member = flatMap { $0[name] }
        guard self?.kind ?? .object == .object, let new = member.adding(value, at: path.dropFirst()) else { return nil }
        var members: [(String, JSONOutput)] = []
        for (key, value) in self?.members.map({ $0 }) ?? [] where key.string != name {
            members.append((key.string, .raw(value.source)))
        }
        return .object(members + [(name, new)])
    }
}
