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

    /// The name; the configuration file, in the project's folder or in the home; the member around its servers if it is
    /// JSON; and the folder that `flagmenu` has to be told, if the client does not start it in that of the project.
    private var facts: (title: String, file: String, servers: String?, folder: String?) {
        #if os(macOS)
        let desktop = "~/Library/Application Support/Claude/claude_desktop_config.json"
        #else
        let desktop = "~/.config/Claude/claude_desktop_config.json"
        #endif
        return switch self {
        case .claudeCode: ("Claude Code", ".mcp.json", "mcpServers", nil)
        case .claudeDesktop: ("Claude Desktop", desktop, "mcpServers", ".")
        case .cursor: ("Cursor", ".cursor/mcp.json", "mcpServers", "${workspaceFolder}")
        case .vscode: ("Visual Studio Code", ".vscode/mcp.json", "servers", "${workspaceFolder}")
        case .codex: ("Codex", "~/.codex/config.toml", nil, nil)
        }
    }

    var title: String { facts.title }

    /// The path of the configuration file.
    func path(_ environment: Environment) -> String {
        FilePath.typed(facts.file, home: environment.homeDirectory, in: environment.workingDirectory)
    }

    /// The arguments of `flagmenu`, with the sources and other general options.
    private func arguments(_ options: [String], _ environment: Environment) -> [String] {
        let folder = facts.folder.map { ["--folder", $0 == "." ? environment.workingDirectory : $0] }
        return ["mcp"] + (folder ?? []) + options
    }

    private func entry(_ arguments: [String]) -> JSONOutput {
        let kind: [(String, JSONOutput)] = self == .vscode ? [("type", .string("stdio"))] : []
        return .object(
            kind + [("command", .string("flagmenu")), ("args", .array(arguments.map(JSONOutput.string)))])
    }

    /// What to add to the configuration.
    func text(_ options: [String], _ environment: Environment) -> String {
        let arguments = arguments(options, environment)
        guard let servers = facts.servers else {
            let list = JSONOutput.array(arguments.map(JSONOutput.string)).text(indented: false)
            return "[mcp_servers.flagmenu]\ncommand = \"flagmenu\"\nargs = \(list)"
        }
        return JSONOutput.object([(servers, .object([("flagmenu", entry(arguments))]))]).text()
    }

    /// Adds the entry to the configuration file. Everything else in it stays.
    ///
    /// - Parameter replacesEntry: whether to replace an entry that is different.
    /// - Throws: an error if there is such an entry, or the file cannot be read or written; it is then unchanged.
    func write(
        _ options: [String], _ environment: Environment, replacesEntry: Bool
    ) throws(CommandFailure) -> String {
        let (path, arguments) = (path(environment), arguments(options, environment))
        guard let servers = facts.servers else {
            let command = (["codex", "mcp", "add", "flagmenu", "--", "flagmenu"] + arguments).map(ShellCommand.word)
            throw CommandFailure(
                .usage, "\(path) is not JSON. Nothing was written. \(command.joined(separator: " ")) writes it.")
        }
        let root = try CommandFailure.converting(to: .usage) {
            try DurableFile.read(path).map { try JSONDocument(parsing: $0).root }
        } sentence: {
            "\(path) is not JSON that can be changed: \($0). It was not changed. Add the entry by hand."
        }
        let (entry, list) = (entry(arguments), root?[servers])
        guard replacesEntry || list?["flagmenu"].map({ $0.compactJSON == entry.text(indented: false) }) ?? true else {
            throw CommandFailure(
                .usage, "\(path) has another entry flagmenu. It was not changed; --replace replaces the entry.")
        }
        guard let new = list.replacing("flagmenu", with: entry).flatMap({ root.replacing(servers, with: $0) }) else {
            throw CommandFailure(
                .usage, "\(servers) in \(path) is not an object. The file was not changed. Add the entry by hand.")
        }
        _ = try CommandFailure.converting(to: .store) {
            try DurableFile.replace(path, with: Array((new.text() + "\n").utf8), audience: .everyone)
        }
        return path
    }
}

extension JSONValue? {
    /// The object with a member, in place of the one with the same name; `nil` if this is another value.
    fileprivate func replacing(_ name: String, with value: JSONOutput) -> JSONOutput? {
        guard self?.kind ?? .object == .object else { return nil }
        let others = (self?.members.map { $0 } ?? []).filter { $0.key.string != name }
        return .object(others.map { ($0.key.string, .raw($0.value.source)) } + [(name, value)])
    }
}
