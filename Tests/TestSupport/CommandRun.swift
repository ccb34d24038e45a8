import Foundation
import Synchronization

/// The exit status and the output of a program.
public struct CommandRun: Sendable {
    /// Standard output; on a terminal, all output.
    public let output: [UInt8]
    /// Standard error.
    public let errors: [UInt8]
    /// The exit code, or 128 plus the number of the signal, as in a shell; 124 if the program did not end and was
    /// killed.
    public let status: Int32

    /// Standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// Standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - arguments: the program's path, then its arguments.
    ///   - environment: the whole environment; nothing is inherited.
    ///   - directory: the working directory.
    ///   - input: the whole standard input.
    ///   - isOnTerminal: whether all three streams are a terminal in raw mode instead, with `input` typed ahead.
    ///   - timeout: seconds until the program is killed.
    public init(
        _ arguments: [String], environment: [String: String], directory: String, input: [UInt8] = [],
        isOnTerminal: Bool = false, timeout: Double = 20
    ) {
        // One start at a time, so that no program inherits another's streams before they are marked close-on-exec.
        let started = Self.startLock.withLock { _ -> (Streams, ChildProcess)? in
            guard let streams = isOnTerminal ? Streams.terminal() : Streams.pipes(),
                let process = ChildProcess(arguments, environment, directory: directory, streams: streams.childEnds)
            else { return nil }
            streams.childEnds.forEach { close($0) }
            return (streams, process)
        }
        guard let (streams, process) = started else {
            self.init(output: [], errors: Array("it could not be started".utf8), status: 127)
            return
        }
        var collector = Collector(streams)
        let deadline = Clock.seconds() + timeout
        collector.run(input: input, until: deadline)
        let status = process.end(before: deadline)
        collector.closeAll()
        self.init(output: collector.output, errors: collector.errors, status: status)
    }

    private static let startLock = Mutex<Void>(())

    private init(output: [UInt8], errors: [UInt8], status: Int32) {
        self.output = output
        self.errors = errors
        self.status = status
    }
}

/// The three standard streams of a program: the ends for the test, and the ends for the program.
private struct Streams {
    var input: Int32
    var output: Int32
    var errors: Int32
    /// Standard input, output and error of the program.
    var childEnds: [Int32]

    static func pipes() -> Streams? {
        var pairs: [[Int32]] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else { return nil }
            pair.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
            pairs.append(pair)
        }
        return Streams(
            input: pairs[0][1], output: pairs[1][0], errors: pairs[2][0],
            childEnds: [pairs[0][0], pairs[1][1], pairs[2][1]])
    }

    static func terminal() -> Streams? {
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, nil) == 0 else { return nil }
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var modes = termios()
        tcgetattr(slave, &modes)
        cfmakeraw(&modes)
        tcsetattr(slave, TCSANOW, &modes)
        return Streams(input: master, output: master, errors: -1, childEnds: [slave])
    }
}

/// Writes input and reads output at the same time, so that neither side blocks the other.
private struct Collector {
    private var streams: Streams
    var output: [UInt8] = []
    var errors: [UInt8] = []

    init(_ streams: Streams) { self.streams = streams }

    mutating func run(input: [UInt8], until deadline: Double) {
        var unsentInput = input[...]
        signal(SIGPIPE, SIG_IGN)
        while streams.output >= 0 || streams.errors >= 0, Clock.seconds() < deadline {
            if unsentInput.isEmpty { endInput() }
            var sources = [
                pollfd(fd: streams.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: streams.errors, events: Int16(POLLIN), revents: 0),
                pollfd(fd: unsentInput.isEmpty ? -1 : streams.input, events: Int16(POLLOUT), revents: 0),
            ]
            guard poll(&sources, 3, 100) > 0 else { continue }
            if sources[2].revents != 0 { feed(&unsentInput) }
            if sources[0].revents != 0 { Self.take(&streams.output, into: &output) }
            if sources[1].revents != 0 { Self.take(&streams.errors, into: &errors) }
        }
    }

    private var isTerminal: Bool { streams.childEnds.count == 1 }

    private mutating func endInput() {
        guard !isTerminal, streams.input >= 0 else { return }
        close(streams.input)
        streams.input = -1
    }

    private func feed(_ unsentInput: inout ArraySlice<UInt8>) {
        let count = unsentInput.prefix(4_096).withUnsafeBytes { write(streams.input, $0.baseAddress, $0.count) }
        unsentInput = count > 0 ? unsentInput.dropFirst(count) : []
    }

    /// Reads once. At the end of the stream, or if the other side of a terminal is closed, closes the descriptor.
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
        for descriptor in [isTerminal ? -1 : streams.input, streams.output, streams.errors] where descriptor >= 0 {
            close(descriptor)
        }
    }
}
