import Foundation
import Synchronization

/// How a program ended and what it wrote.
public struct CommandRun: Sendable {
    /// What it wrote to standard output; on a terminal, everything.
    public let output: [UInt8]
    /// What it wrote to standard error.
    public let errors: [UInt8]
    /// Its exit code, or 128 and the number of the signal that ended it, as a shell counts; 124 where it had to be
    /// killed because it did not end.
    public let status: Int32

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    public var words: String { String(decoding: errors, as: UTF8.self) }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - arguments: the program's path, then what it is given.
    ///   - environment: everything it sees of one; nothing is inherited.
    ///   - directory: where it runs.
    ///   - input: what it finds on standard input, which ends afterwards.
    ///   - isOnTerminal: whether all three streams are a terminal instead, in raw mode, with `input` typed ahead.
    ///   - patience: seconds after which it is killed.
    public init(
        _ arguments: [String], environment: [String: String], directory: String, input: [UInt8] = [],
        isOnTerminal: Bool = false, patience: Double = 20
    ) {
        // One start at a time, so that no program inherits the other's streams before they are marked as ours.
        let started = Self.start.withLock { _ -> (Streams, ChildProcess)? in
            guard let streams = isOnTerminal ? Streams.terminal() : Streams.pipes(),
                let process = ChildProcess(arguments, environment, directory: directory, streams: streams.theirs)
            else { return nil }
            streams.theirs.forEach { close($0) }
            return (streams, process)
        }
        guard let (streams, process) = started else {
            self.init(output: [], errors: Array("it could not be started".utf8), status: 127)
            return
        }
        var collected = Collector(streams)
        let deadline = Clock.seconds() + patience
        collected.run(input: input, until: deadline)
        let status = process.end(before: deadline)
        collected.closeAll()
        self.init(output: collected.output, errors: collected.errors, status: status)
    }

    private static let start = Mutex<Void>(())

    private init(output: [UInt8], errors: [UInt8], status: Int32) {
        self.output = output
        self.errors = errors
        self.status = status
    }
}

/// The ends of three streams: ours, and those of the program.
private struct Streams {
    var input: Int32
    var output: Int32
    var errors: Int32
    /// Standard input, output and error of the program.
    var theirs: [Int32]

    static func pipes() -> Streams? {
        var ends: [[Int32]] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else { return nil }
            pair.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
            ends.append(pair)
        }
        return Streams(
            input: ends[0][1], output: ends[1][0], errors: ends[2][0], theirs: [ends[0][0], ends[1][1], ends[2][1]])
    }

    static func terminal() -> Streams? {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { return nil }
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var modes = termios()
        tcgetattr(slave, &modes)
        cfmakeraw(&modes)
        tcsetattr(slave, TCSANOW, &modes)
        return Streams(input: master, output: master, errors: -1, theirs: [slave])
    }
}

/// Feeds a program and takes what it writes, both at once, so that neither waits for the other.
private struct Collector {
    private var streams: Streams
    var output: [UInt8] = []
    var errors: [UInt8] = []

    init(_ streams: Streams) { self.streams = streams }

    mutating func run(input: [UInt8], until deadline: Double) {
        var rest = input[...]
        signal(SIGPIPE, SIG_IGN)
        while streams.output >= 0 || streams.errors >= 0, Clock.seconds() < deadline {
            if rest.isEmpty { endInput() }
            var sources = [
                pollfd(fd: streams.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: streams.errors, events: Int16(POLLIN), revents: 0),
                pollfd(fd: rest.isEmpty ? -1 : streams.input, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&sources, 3, 100) > 0 else { continue }
            if sources[2].revents != 0 { feed(&rest) }
            if sources[0].revents != 0 { Self.take(&streams.output, into: &output) }
            if sources[1].revents != 0 { Self.take(&streams.errors, into: &errors) }
        }
    }

    private var isTerminal: Bool { streams.theirs.count == 1 }

    private mutating func endInput() {
        guard !isTerminal, streams.input >= 0 else { return }
        close(streams.input)
        streams.input = -1
    }

    private func feed(_ rest: inout ArraySlice<UInt8>) {
        let count = rest.prefix(4_096).withUnsafeBytes { write(streams.input, $0.baseAddress, $0.count) }
        rest = count > 0 ? rest.dropFirst(count) : []
    }

    /// Reads once; at the end, or when a terminal's other side is gone, the descriptor is closed.
    private static func take(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &chunk, chunk.count)
        if count > 0 {
            bytes += chunk[..<count]
        } else {
            close(descriptor)
            descriptor = -1
        }
    }

    mutating func closeAll() {
        for end in [isTerminal ? -1 : streams.input, streams.output, streams.errors] where end >= 0 { close(end) }
    }
}
