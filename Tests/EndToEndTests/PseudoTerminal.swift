import Foundation
import TestSupport
import Testing

/// A program (`flagmenu` by default) on a pseudo-terminal without a terminal emulator. Its output can be read byte by
/// byte.
final class PseudoTerminal {
    private(set) var bytes: [UInt8] = []
    private let process: ChildProcess
    private let master: Int32
    private let modesBefore: termios

    init(
        _ workplace: Workplace, _ arguments: [String] = ["--sample"], variables: [String: String?] = [:],
        columns: Int = 80,
        rows: Int = 24, program: String = Workplace.flagmenu
    ) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&master, &slave, nil, nil, &size) == 0)
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        self.master = master
        var modes = termios()
        tcgetattr(slave, &modes)
        modesBefore = modes
        process = try #require(
            ChildProcess(
                [program] + arguments, workplace.changed(variables), directory: workplace.path,
                streams: [slave]))
        close(slave)
    }

    deinit { close(master) }

    /// The output as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the terminal modes are the same as at the start.
    var hasSameModes: Bool {
        var now = termios()
        guard tcgetattr(master, &now) == 0 else { return false }
        return now.c_iflag == modesBefore.c_iflag && now.c_oflag == modesBefore.c_oflag
            && now.c_lflag == modesBefore.c_lflag
    }

    func setSize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Types keys and reads output at the same time, so that neither side blocks the other.
    ///
    /// - Returns: whether all keys were sent.
    @discardableResult func send(_ keys: some Collection<UInt8>, timeout: Double = 10) -> Bool {
        var unsentKeys = Array(keys)[...]
        let deadline = Clock.seconds() + timeout
        while !unsentKeys.isEmpty, Clock.seconds() < deadline {
            receive()
            let count = unsentKeys.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if count > 0 { unsentKeys = unsentKeys.dropFirst(count) } else if errno != EAGAIN { return false }
        }
        return unsentKeys.isEmpty
    }

    /// Reads what arrives within 2 ms.
    func receive() {
        var input = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        guard poll(&input, 1, 2) == 1, input.revents & Int16(POLLIN) != 0 else { return }
        let count = read(master, &chunk, chunk.count)
        if count > 0 { bytes += chunk[..<count] }
    }

    /// Waits until the output meets a condition.
    func wait(atMost seconds: Double = 20, until condition: (PseudoTerminal) -> Bool) -> Bool {
        Clock.wait(atMost: seconds) {
            receive()
            return condition(self)
        }
    }

    /// The exit status, or `nil` while the program runs.
    var exitStatus: Int32? {
        guard let status = process.status else { return nil }
        for _ in 0..<3 { receive() }
        return status
    }

    func kill() { _ = Foundation.kill(process.id, SIGKILL) }
}

extension PseudoTerminal {
    /// The parameters of every control sequence that ends in this letter.
    func sequences(endingIn letter: Character) -> [[String]] {
        text.matches(of: #/\x1B\[([?]?[0-9;]*)([a-zA-Z])/#).filter { $0.2 == String(letter) }
            .map { $0.1.split(separator: ";", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The sequences that set or query a colour: SGR 30-49 and 90-107, and OSC 4, 10-19 and 104.
    var colorSequences: [String] {
        let styles = sequences(endingIn: "m").flatMap { $0 }.filter {
            Int($0).map { (30...49).contains($0) || (90...107).contains($0) } ?? false
        }
        return styles + text.matches(of: #/\x1B\](?:4|1\d|104)[;\x07]/#).map { String($0.output) }
    }

    /// The private modes that are on at the end of the output.
    var modesOn: Set<String> {
        var modes: Set<String> = []
        // Split by hand for speed: the output may be megabytes.
        for part in bytes.split(separator: 0x1B) where part.starts(with: "[?".utf8) {
            let numbers = part.dropFirst(2).prefix { (0x30...0x3B).contains($0) }
            let last = part.dropFirst(2 + numbers.count).first
            for mode in String(decoding: numbers, as: UTF8.self).split(separator: ";").map(String.init) {
                if last == UInt8(ascii: "h") { modes.insert(mode) }
                if last == UInt8(ascii: "l") { modes.remove(mode) }
            }
        }
        return modes
    }
}
