import Platform

/// Wakes a thread that is blocked in `poll`. Never closed, as the thread never ends.
struct WakePipe: Sendable {
    /// Readable after ``wake()``.
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        _ = try SystemError.check("pipe", pipe(&ends))
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    /// Makes the read end readable.
    func wake() {
        var byte: UInt8 = 0
        // An error of a full pipe is ignored: its read end is already readable.
        _ = write(writeEnd, &byte, 1)
    }

    /// Makes the read end wait for the next ``wake()``.
    func clear() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(readEnd, &bytes, bytes.count) > 0 {}
    }
}
