import Foundation
import TestSupport
import Testing

/// A run of the program `StorageTorture`: another process that sets overrides.
final class OverrideWriter {
    private let process: ChildProcess
    /// The write end of the program's standard input, for handlers on other threads.
    let pace: Int32

    /// Starts the program. Number n from `first` up to `count` becomes the value of the key `w.<n % keys>`.
    ///
    /// - Parameter isPaced: whether the program waits for ``go(_:)`` before each change; the value is then the time in
    ///   nanoseconds.
    init(_ directory: String, first: Int = 0, count: Int, keys: Int = 1, isPaced: Bool = false) throws {
        var input: [Int32] = [-1, -1]
        try #require(pipe(&input) == 0)
        pace = input[1]
        let output = open("/dev/null", O_WRONLY)
        let streams = [input[0], output, STDERR_FILENO]
        defer { streams.prefix(2).forEach { close($0) } }
        let program = (Workplace.flagmenu as NSString).deletingLastPathComponent + "/StorageTorture"
        process = try #require(
            ChildProcess(
                [program, directory, "w", "\(first)", "\(count)", "\(keys)"] + (isPaced ? ["--paced"] : []),
                ProcessInfo.processInfo.environment, directory: "/", streams: streams))
    }

    deinit { close(pace) }

    /// Starts the next change of a paced writer.
    static func go(_ pace: Int32) {
        // The writer may have ended after its last change.
        signal(SIGPIPE, SIG_IGN)
        _ = write(pace, ".", 1)
    }

    /// Waits for the end and returns the exit code.
    func end() -> Int32 { process.end(before: Clock.seconds() + 120) }

    /// Kills the program with SIGKILL.
    func kill() { process.end(before: 0) }
}
