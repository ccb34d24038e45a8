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
        if let folder, chdir(folder) != 0 {
            throw CommandFailure(.usage, "\(folder) cannot be opened: \(String(cString: strerror(errno))).")
        }
        // From here on, whatever else is written to standard output goes to standard error.
        let output = dup(STDOUT_FILENO)
        guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw CommandFailure(.store, "Standard output cannot be used: \(String(cString: strerror(errno))).")
        }
        AgentConnection(options.values, .current(), writes: write && !options.readOnly, output: output).run()
    }
}

/// The connection with an agent: reads messages on this thread, which waits neither for flags nor for the output, and
/// performs calls and writes messages on others.
///
/// A client that does not read its messages fills no memory: reading pauses after ``unsentLines`` lines, and each call
/// and each notification waits until what precedes it is sent.
///
/// A request goes from this thread, with the lock of the session, to the queue of calls, and its response with that lock
/// to the queue of the output. Nobody waits for a queue while it has the lock. `wait_for_apps` leaves the queue of calls,
/// so that others need not wait; it only reads. Changes are published on threads of the store.
final class AgentConnection: Sendable {
    /// How long calls that were received before the end of the input may take, and their responses. A change is written
    /// whole or not at all, whenever the process ends.
    private static let endLimit = DispatchTimeInterval.seconds(1)
    private static let unsentLines = 100

    private let session: Mutex<AgentSession>
    private let descriptor: Int32
    /// Writes messages in the order in which the session made them.
    private let output = DispatchQueue(label: "flagmenu.mcp.output")
    /// How many more lines may be read before what earlier ones led to at once is sent. Calls are limited by the session.
    private let room = DispatchSemaphore(value: unsentLines)
    /// The calls that may wait for apps at once. Each has a thread.
    private let waits = DispatchSemaphore(value: 4)
    /// One call at a time, in the order of the requests.
    private let calls = DispatchQueue(label: "flagmenu.mcp")
    /// What precedes the end of the process: everything but waiting for apps.
    private let work = DispatchGroup()
    /// Whether clients will be told of all changes until now.
    private let isTelling = Atomic(false)
    private let flags: AgentFlags

    init(_ options: RunOptions, _ environment: Environment, writes: Bool, output: Int32) {
        session = Mutex(AgentSession(writes: writes, version: Release.version))
        (flags, descriptor) = (AgentFlags(options, environment, writes: writes), output)
    }

    /// Serves until the input ends.
    func run() {
        // A client that only subscribes is told of changes, too.
        calls.async(group: work) { [self] in _ = try? flags.open { [self] in tellOfChange() } }
        var (line, byte): ([UInt8], Int32) = ([], 0)
        while byte != EOF {
            byte = getchar()
            guard byte == EOF || byte == Int32(UInt8(ascii: "\n")) else {
                // A longer line is an error, of which the rest is not needed.
                if line.count <= AgentSession.lineLimit { line.append(UInt8(byte)) }
                continue
            }
            guard hasRoom() else { return }
            receive(line)
            line = []
        }
        _ = work.wait(timeout: .now() + Self.endLimit)
    }

    /// Waits until another line may be received. Returns `false` if the client has closed the input instead.
    private func hasRoom() -> Bool {
        while room.wait(timeout: .now() + Self.endLimit) == .timedOut {
            var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
            if poll(&input, 1, 0) != 0 { return false }
        }
        return true
    }

    private func receive(_ line: [UInt8]) {
        session.withLock { session in
            for step in session.receive(line) {
                switch step {
                case .send(let message): send(message)
                case .perform(let call): perform(call)
                }
            }
        }
        output.async { [self] in _ = room.signal() }
    }

    private func perform(_ call: AgentCall) {
        calls.async(group: work) { [self] in
            guard call.tool == .waitForApps else { return respond(to: call) }
            guard waits.wait(timeout: .now()) == .success else {
                return finish(call, .failure(InvalidText(sentence: "Too many calls wait for apps already.")))
            }
            DispatchQueue.global().async { [self] in
                respond(to: call)
                waits.signal()
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
        output.sync {}
    }

    /// Called while values are published, so it waits neither for the session nor for the client.
    private func tellOfChange() {
        guard !isTelling.exchange(true, ordering: .sequentiallyConsistent) else { return }
        output.async(group: work) { [self] in
            isTelling.store(false, ordering: .sequentiallyConsistent)
            session.withLock { $0.flagsDidChange().forEach(send) }
        }
    }

    /// Writes a message as one line, after those before it. Called while the session is locked, for their order.
    private func send(_ message: JSONOutput) {
        output.async(group: work) { [descriptor] in
            // Between the tokens of JSON that is passed on, a line feed is a space.
            let text = message.text(indented: false).utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
            _ = StandardOutput.send(text + [UInt8(ascii: "\n")], to: descriptor)
        }
    }
}
