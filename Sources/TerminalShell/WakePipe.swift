import Platform

/// A pipe that wakes a `poll`: neither end blocks, and no child inherits it.
///
/// The storage has a pipe of its own. They differ, as this one passes on the numbers of signals.
final class WakePipe: Sendable {
    /// The byte that `wake` writes; no signal has this number.
    static let plainWake: Int32 = 0

    let reading: Int32
    let writing: Int32

    /// Both ends are -1 if the process has no descriptor left.
    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        if reading >= 0 { close(reading) }
        if writing >= 0 { close(writing) }
    }

    func wake() {
        var byte = UInt8(Self.plainWake)
        // A full pipe wakes the reader as well.
        _ = write(writing, &byte, 1)
    }

    /// The bytes written since the last call.
    func drain() -> [UInt8] {
        var drained: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256)
        while true {
            let count = read(reading, &chunk, chunk.count)
            if count > 0 { drained += chunk[..<count] } else { return drained }
        }
    }
}
