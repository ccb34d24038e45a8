import ArgumentParser
import Dispatch
import FlagAgents
import FlagModel
import FlagWorkspace
import Platform
import Synchronization

struct MCPCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "mcp", abstract: "Serve the flags to a coding agent, by the Model Context Protocol.",
        usage: "flagmenu mcp [--write] [--folder <folder>] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu init --agent
              flagmenu mcp --write --folder ~/shop

            An agent starts this command and talks to it over standard input and output, until it closes the input. \
            flagmenu init --agent prints what to enter into its configuration.

            Without --write, the agent can only read. With it, the agent can set, reset and undo overrides and apply \
            scenarios on this machine. Its changes are in the history under its name, and undo takes them back.
            """)

    @Flag(help: "Let the agent change overrides.") var write = false

    @Option(
        help: ArgumentHelp("Work in this folder, such as the one with flagmenu.json.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        var environment = Environment.current()
        if let folder {
            let path = FilePath.resolve(folder, in: environment.workingDirectory)
            guard chdir(path) == 0 else {
                throw CommandFailure(.usage, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
            }
            environment = Environment.current()
        }
        // From here on, whatever else is written to standard output goes to standard error.
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw CommandFailure(.store, "Standard output cannot be used: \(String(cString: strerror(errno))).")
        }
        AgentConnection(options.values, environment, writes: write && !options.readOnly, output: output).run()
    }
}

/// The connection with an agent: reads messages on this thread, which never waits for flags, and performs calls on
/// others.
final class AgentConnection: Sendable {
    /// The most calls that may wait for apps at once. Each has a thread.
    private static let waitLimit = 8
    /// How long calls that were received before the end of the input may take.
    private static let endLimit = DispatchTimeInterval.seconds(1)

    private let session: Mutex<AgentSession>
    private let output: Int32
    private let waitCount = Atomic(0)
    /// One call at a time, in the order of the requests.
    private let calls = DispatchQueue(label: "flagmenu.mcp")
    private let notifications = DispatchQueue(label: "flagmenu.mcp.notifications")
    private let flags: AgentFlags

    init(_ options: RunOptions, _ environment: Environment, writes: Bool, output: Int32) {
        session = Mutex(AgentSession(writes: writes, version: Release.version))
        (flags, self.output) = (AgentFlags(options, environment), output)
    }

    /// Serves until the input ends.
    func run() {
        // A client that only subscribes is told of changes, too.
        calls.async { [self] in _ = try? flags.open { [self] in tellOfChange() } }
        var lines = AgentLines()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for line in lines.append(chunk[..<count]) { receive(line) }
        }
        let isDone = DispatchSemaphore(value: 0)
        calls.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + Self.endLimit)
    }

    private func receive(_ line: [UInt8]) {
        let calls = session.withLock { session in
            session.receive(line).compactMap { step -> AgentCall? in
                switch step {
                case .send(let message):
                    send(message)
                    return nil
                case .perform(let call): return call
                }
            }
        }
        calls.forEach(perform)
    }

    private func perform(_ call: AgentCall) {
        guard call.tool == .waitForApps else { return calls.async { [self] in respond(to: call) } }
        guard waitCount.add(1, ordering: .relaxed).newValue <= Self.waitLimit else {
            waitCount.subtract(1, ordering: .relaxed)
            return finish(call, .failure(InvalidText(sentence: "\(Self.waitLimit) calls wait for apps already.")))
        }
        // After the changes that were requested before.
        calls.async { [self] in
            DispatchQueue.global().async { [self] in
                respond(to: call)
                waitCount.subtract(1, ordering: .relaxed)
            }
        }
    }

    private func respond(to call: AgentCall) {
        func isAwaited() -> Bool { session.withLock { $0.isAwaited(call) } }
        guard isAwaited() else { return }
        finish(call, flags.perform(call, onChange: { [self] in tellOfChange() }, while: isAwaited))
    }

    private func finish(_ call: AgentCall, _ result: Result<JSONOutput, InvalidText>) {
        session.withLock { session in session.finish(call, result).map(send) }
    }

    /// Called while values are published, so it does not wait for the client to read.
    private func tellOfChange() {
        notifications.async { [self] in session.withLock { $0.flagsDidChange().forEach(send) } }
    }

    /// Writes a message as one line, while the session is locked, so that messages do not mix.
    private func send(_ message: JSONOutput) {
        // Between the tokens of JSON that is passed on, a line feed is a space.
        let text = message.text(indented: false).utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        _ = StandardOutput.send(text + [UInt8(ascii: "\n")], to: output)
    }
}
