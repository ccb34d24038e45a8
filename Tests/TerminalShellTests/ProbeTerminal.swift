import Platform
import TerminalUI
import TestSupport
import Testing

/// Runs the probe as a job on a separate pseudo-terminal, whose other end is the test.
final class ProbeTerminal {
    /// The time after which a wait for a condition fails. It allows for a busy machine.
    private static let timeoutInSeconds = 10.0

    /// The path of the built probe, beside the built `flagmenu`.
    static let program = "\(Workplace.flagmenu.dropLast("flagmenu".count))TerminalProbe"

    private(set) var screen: VirtualTerminal
    private(set) var bytes: [UInt8] = []
    private(set) var reports: [String] = []
    private(set) var modesBefore = termios()
    private let path: String
    private var master: Int32 = -1
    private var socket: Int32 = -1
    private var keeper: ChildProcess?
    private var reportBytes: [UInt8] = []

    /// Starts the probe.
    ///
    /// - Parameter environment: added to a small fixed environment; `nil` removes a variable.
    init(
        _ arguments: [String] = [], size: Size = Size(columns: 80, rows: 24), environment: [String: String?] = [:]
    ) throws {
        screen = VirtualTerminal(size: size)
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        path = try #require(ttyname(slave).map { String(cString: $0) })
        var sockets: [Int32] = [-1, -1]
        #if os(Linux)
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        #else
        try #require(socketpair(AF_UNIX, SOCK_STREAM, 0, &sockets) == 0)
        #endif
        socket = sockets[0]
        for descriptor in [master, slave, socket] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        try setSize(size)
        try #require(tcgetattr(slave, &modesBefore) == 0)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        let fixed = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        let variables = fixed.merging(environment.mapValues { $0 ?? "\0" }) { $1 }.filter { $0.value != "\0" }
        keeper = ChildProcess(
            [Self.program, "keep", path] + arguments, variables, directory: "/", streams: [sockets[1], null])
        close(sockets[1])
        close(null)
        try wait("the keeper to start the job") { $0.reports.first?.hasPrefix("started") == true }
        // Closed only now, because a terminal that no process has open loses its modes.
        close(slave)
    }

    deinit {
        close(socket)
        if master >= 0 { close(master) }
        if let job, end == nil { kill(job, SIGKILL) }
        keeper?.end(before: Clock.seconds() + Self.timeoutInSeconds)
    }

    /// Starts the probe and waits until it shows all rows of its list.
    static func listed(_ arguments: [String] = [], environment: [String: String?] = [:]) throws -> ProbeTerminal {
        let probe = try ProbeTerminal(arguments, environment: environment)
        try probe.wait("the list") { $0.screen.text(23).hasPrefix("row 23") }
        return probe
    }

    /// The probe's process id; `nil` before it is reported.
    var job: pid_t? { reports.first?.split(separator: " ").last.flatMap { pid_t($0) } }

    /// How the probe ended: `exited N` or `signaled N`.
    var end: String? { reports.first { $0.hasPrefix("exited") || $0.hasPrefix("signaled") } }

    /// What the probe has written, as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    func send(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Sends keys, and waits for what they do.
    func send(
        _ keys: String, until condition: String, location: SourceLocation = #_sourceLocation,
        _ isTrue: (ProbeTerminal) -> Bool
    ) throws {
        send(keys)
        try wait(condition, location: location, until: isTrue)
    }

    func signal(_ number: Int32) throws { try #require(kill(#require(job), number) == 0) }

    /// Continues the stopped job, in the foreground or in the background.
    func resume(inForeground: Bool = true) {
        var command = UInt8(ascii: inForeground ? "f" : "b")
        _ = write(socket, &command, 1)
    }

    func setSize(_ size: Size) throws {
        var window = winsize()
        window.ws_row = UInt16(size.rows)
        window.ws_col = UInt16(size.columns)
        try #require(ioctl(master, UInt(TIOCSWINSZ), &window) == 0)
        screen.resize(Size(columns: max(1, size.columns), rows: max(1, size.rows)))
    }

    func hangUp() {
        close(master)
        master = -1
    }

    /// Whether unread output fills the kernel's line buffer (4,096 bytes).
    var isFull: Bool {
        var count: Int32 = 0
        return ioctl(master, UInt(FIONREAD), &count) == 0 && count >= 4_000
    }

    /// Whether the program has read everything that was typed.
    var isDrained: Bool {
        let descriptor = open(path, O_RDWR | O_NOCTTY)
        defer { close(descriptor) }
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count == 0
    }

    /// The terminal's modes.
    var modesNow: termios {
        var modes = termios()
        tcgetattr(master, &modes)
        return modes
    }

    func forgetBytes() { bytes = [] }

    /// Waits for a condition. Fails with the screen's text after a timeout.
    func wait(
        _ condition: String, readsScreen: Bool = true, location: SourceLocation = #_sourceLocation,
        until isTrue: (ProbeTerminal) -> Bool
    ) throws {
        let deadline = Clock.seconds() + Self.timeoutInSeconds
        while !isTrue(self) {
            guard Clock.seconds() < deadline else {
                let rows = (0..<screen.size.rows).map { screen.text($0) }.filter { !$0.isEmpty }
                let state = "reports \(reports), screen:\n\(rows.joined(separator: "\n"))"
                Issue.record("timed out waiting for \(condition); \(state)", sourceLocation: location)
                throw WaitTimeout()
            }
            receive(readsScreen: readsScreen)
        }
    }

    struct WaitTimeout: Error {}

    /// Reads available output and reports; waits up to 5 ms for some.
    func receive(readsScreen: Bool = true) {
        var sources = [
            pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
            pollfd(fd: readsScreen ? master : -1, events: Int16(POLLIN), revents: 0),
        ]
        // Short, because some conditions (terminal modes) do not wake a poll.
        guard poll(&sources, 2, 5) > 0 else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        if sources[1].revents & Int16(POLLIN) != 0 {
            let count = read(master, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
                screen.feed(chunk[..<count])
            }
        }
        if sources[0].revents & Int16(POLLIN) != 0 {
            let count = read(socket, &chunk, chunk.count)
            if count > 0 { reportBytes += chunk[..<count] }
            reports = String(decoding: reportBytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}
