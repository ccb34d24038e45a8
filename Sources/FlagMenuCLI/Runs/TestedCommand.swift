import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags
import Platform
import TerminalShell

/// How a run of COMMAND ended.
enum CommandResult: Equatable {
    /// It exited with 0.
    case good
    /// It exited with 125: this state cannot be judged.
    case skip
    /// It exited with 1 to 124.
    case bad(Int32)
    /// It exited with 126 or more: it cannot be started, or a shell reports that it has crashed.
    case abort(Int32)
    /// A signal has ended it.
    case signal(Int32)

    /// - Parameter status: the status as from `wait(2)`.
    fileprivate init(status: Int32) {
        // The low seven bits are the signal, the byte above them the exit code (wait.h).
        let (number, code) = (status & 0x7F, (status >> 8) & 0xFF)
        if number != 0 { self = .signal(number) } else { self = code == 0 ? .good : .bad(code) }
        if number == 0, code >= 125 { self = code == 125 ? .skip : .abort(code) }
    }

    /// Whether it has crashed, as far as can be seen: shells report a signal as 128 plus its number.
    var isCrash: Bool {
        switch self {
        case .good, .skip, .bad: false
        case .abort(let code): code > 128
        case .signal: true
        }
    }

    /// The result in words: `exited with 1`.
    var words: String {
        switch self {
        case .good: "exited with 0"
        case .skip: "exited with 125"
        case .bad(let code), .abort(let code): "exited with \(code)"
        case .signal(let number): "was ended by signal \(number)"
        }
    }
}

/// Runs COMMAND, usually with a temporary copy of the store, so that nothing needs to be restored.
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

    /// The maximum number of bytes of output that are captured; the last ones count.
    private static let outputLimit = 1 << 20

    /// - Parameter words: COMMAND and its arguments, which no shell reads.
    init(_ words: [String], output: Output = .passed) { (self.words, self.output) = (words, output) }

    /// Runs COMMAND with `FLAGMENU_STORE` set to a temporary store that has exactly these overrides, conditions and
    /// attributes. Their notes and ends do not matter to COMMAND.
    ///
    /// - Throws: `interrupted` if a signal has requested an end, or why the copy cannot be written.
    func callAsFunction(with changes: OverrideTable) throws(CommandFailure) -> Run {
        try EndRequest.catching { () throws(CommandFailure) in
            let folder = try Self.makeFolder()
            defer { FileOperations.live.removeFolderWhole(folder) }
            let store = OverrideStore(
                directory: folder, author: ProcessEnvironment.userName, now: SourceClock.system.now)
            try CommandFailure.converting(to: .store) { () throws(StorageError) in
                _ = try store.apply(changes.edits(over: OverrideTable()))
            }
            return try callAsFunction(inStore: folder)
        }
    }

    /// Runs COMMAND with `FLAGMENU_STORE` set to a store.
    func callAsFunction(inStore folder: String) throws(CommandFailure) -> Run {
        if let path = words.first, path.contains("=") {
            throw CommandFailure(.usage, "\(path) cannot be run: env reads = in a path as a variable. Nothing was run.")
        }
        return try EndRequest.catching { () throws(CommandFailure) in
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
