import Platform

/// A pipe that wakes a `poll` and passes the numbers of signals on. Neither end blocks, and child processes do not
/// inherit the pipe.
final class SignalPipe: Sendable {
    /// The byte that `wake` writes. No signal has this number.
    static let plainWake: Int32 = 0

    let reading: Int32
    let writing: Int32

    /// Creates the pipe; both ends are -1 if the process has no descriptor left.
    init() {
        var descriptors: [Int32] = [-1, -1]
        if pipe(&descriptors) == 0 {
            for descriptor in descriptors {
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        (reading, writing) = (descriptors[0], descriptors[1])
    }

    deinit {
        if reading >= 0 { close(reading) }
        if writing >= 0 { close(writing) }
    }

    func wake() {
        var byte = UInt8(Self.plainWake)
        // If the pipe is full, the reader is woken anyway.
        _ = write(writing, &byte, 1)
    }

    /// Reads and returns the bytes written since the last call: numbers of signals, or `plainWake`.
    func drain() -> [UInt8] {
        var drained: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256)
        while true {
            let count = read(reading, &chunk, chunk.count)
            if count > 0 { drained += chunk[..<count] } else { return drained }
        }
    }
}
