import FlagModel
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags
import Platform
import TerminalShell

/// How a run of COMMAND ended.
struct CommandResult {
    /// The exit code; as in a shell, 128 plus the number of the signal that has ended it.
    let code: Int32
    /// The signal that has ended it; `nil` if none has.
    private let signal: Int32?

    /// - Parameter status: the status as from `wait(2)`.
    fileprivate init(status: Int32) {
        // The low seven bits are the signal, the byte above them the exit code (wait.h).
        let number = status & 0x7F
        (code, signal) = number == 0 ? ((status >> 8) & 0xFF, nil) : (128 + number, number)
    }

    /// What it says about the state: 125 that it cannot be judged.
    var outcome: BisectSearch.Outcome {
        switch code {
        case 0: .good
        case 125: .skip
        default: .bad
        }
    }

    /// Whether it has crashed, as far as can be seen.
    var isCrash: Bool { code > 128 }

    /// The result in words: `exited with 1`.
    var words: String { signal.map { "was ended by signal \($0)" } ?? "exited with \(code)" }
}

/// Runs COMMAND with one state after the other: with temporary copies of the store, so that nothing needs to be restored,
/// or with the store itself, which is restored.
///
/// COMMAND has no terminal to read from, and its standard input is empty: it may run many times.
struct TestedCommand {
    /// Where standard output and standard error of COMMAND go.
    enum Output {
        /// To those of this process.
        case passed
        /// Both to standard error, because this process writes data to standard output.
        case toErrors
        /// Into the result, interleaved.
        case captured
    }

    typealias Run = (result: CommandResult, output: [UInt8])

    private let words: [String]
    private let output: Output
    /// The changes of the store itself; `nil` if copies are used.
    private let session: LiveSession?
    private let waiting: WaitTime?
    private let workspace: Workspace

    /// The maximum number of bytes of output that are captured; the last ones count.
    private static let outputLimit = 100_000

    /// Calls `body`, which a signal ends, and then restores the store, also after an error.
    ///
    /// - Parameters:
    ///   - words: COMMAND and its arguments, which no shell reads.
    ///   - name: the command of ours, for the history.
    ///   - isLive: whether the states are those of the store itself.
    ///   - isByHand: whether a search by hand, which was started before, goes on.
    ///   - waiting: how long running apps may take to use a state of the store itself; `nil` if nobody waits.
    static func test<Value>(
        _ words: [String], output: Output, of name: String, isLive: Bool, isByHand: Bool = false, waiting: WaitTime?,
        in workspace: Workspace, _ body: (TestedCommand) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        try EndRequest.catching { () throws(CommandFailure) in
            let session = try CommandFailure.converting(to: .usage) { () throws(StorageError) in
                isLive ? try LiveSession(workspace.store, of: name, isByHand: isByHand) : nil
            }
            let command = TestedCommand(
                words: words, output: output, session: session, waiting: waiting, workspace: workspace)
            let result = Result { () throws(CommandFailure) in try body(command) }
            let commit = try CommandFailure.converting(to: .store) { () throws(StorageError) in try session?.restore() }
            if let notice = commit?.notice { StandardError.warn(notice) }
            return try result.get()
        }
    }

    /// Runs COMMAND with `FLAGMENU_STORE` set to a store that has exactly the overrides, conditions and attributes of a
    /// state. Their notes and ends do not matter to COMMAND.
    ///
    /// - Parameter log: what is known so far, for the file from which the store is restored.
    /// - Throws: `interrupted` if a signal has requested an end, or why the state cannot be written.
    func run(_ state: OverrideTable, log: JSONOutput = .null) throws(CommandFailure) -> Run {
        guard session == nil else {
            try use(state, log: log)
            return try run(inStore: workspace.settings.storeDirectory)
        }
        let folder = try Self.makeFolder()
        defer { FileOperations.live.removeFolderWhole(folder) }
        let store = OverrideStore(
            directory: folder, author: ProcessEnvironment.userName, now: SourceClock.system.now)
        try CommandFailure.converting(to: .store) { () throws(StorageError) in
            _ = try store.apply(state.edits(over: OverrideTable()))
        }
        return try run(inStore: folder)
    }

    /// Makes a state that of the store itself, and waits until running apps use it.
    ///
    /// - Throws: `notTaken` if an app does not.
    func use(_ state: OverrideTable, log: JSONOutput) throws(CommandFailure) {
        guard let session else { return }
        let commit = try CommandFailure.converting(to: .usage) { () throws(StorageError) in
            try session.replace(with: state, log: log)
        }
        let uptake = Result { () throws(CommandFailure) in
            try workspace.wait(
                waiting?.seconds, for: commit.changes.map(\.key), after: commit,
                outcome: "Your changes are restored, because"
            ) { !EndRequest.hasCome }
        }
        // First, because an end that was requested has also ended the wait.
        try EndRequest.check()
        try uptake.get()
    }

    private func run(inStore folder: String) throws(CommandFailure) -> Run {
        if let path = words.first, path.contains("=") {
            throw CommandFailure(.usage, "\(path) cannot be run: env reads = in a path as a variable. Nothing was run.")
        }
        try StandardOutput.flush()
        let file = output == .captured ? tmpfile() : nil
        defer { if let file { fclose(file) } }
        let captured = file.map { fileno($0) }
        let empty = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(empty) }
        var streams = [STDIN_FILENO: empty]
        if output != .passed { streams[STDOUT_FILENO] = captured ?? STDERR_FILENO }
        if let captured { streams[STDERR_FILENO] = captured }
        // With `env`, a command that is missing exits with 127, as in a shell.
        let child = ForegroundChild.spawn(
            ["/usr/bin/env", "FLAGMENU_STORE=\(folder)"] + words, streams: streams, inOwnSession: true)
        guard let child else { throw CommandFailure(.usage, "/usr/bin/env cannot be started. Nothing was run.") }
        let status = try EndRequest.status(of: child)
        return (CommandResult(status: status), captured.map(Self.end) ?? [])
    }

    /// The last bytes of a file.
    private static func end(of file: Int32) -> [UInt8] {
        let size = Int(lseek(file, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: min(max(0, size), outputLimit))
        let count = pread(file, &bytes, bytes.count, off_t(size - bytes.count))
        return Array(bytes.prefix(max(0, count)))
    }

    private static func makeFolder() throws(CommandFailure) -> String {
        let parent = ProcessEnvironment.variable("TMPDIR") ?? "/tmp"
        var template = Array(FilePath.join(parent, "flagmenu-run.XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.store, "\(reason): no folder was created in \(parent). Set TMPDIR to another folder.")
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
