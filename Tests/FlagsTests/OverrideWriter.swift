import Foundation

/// A run of the program `StorageTorture`: another process that sets overrides.
final class OverrideWriter {
    private let process = Process()
    private let input = Pipe()

    /// Starts the program. Number n from `first` up to `count` becomes the value of the key `w.<n % keys>`.
    ///
    /// - Parameter isPaced: whether the program waits for ``go(_:)`` before each change; the value is then the time in
    ///   nanoseconds.
    init(_ directory: String, first: Int = 0, count: Int, keys: Int = 1, isPaced: Bool = false) throws {
        process.executableURL = Self.program
        process.arguments = [directory, "w", "\(first)", "\(count)", "\(keys)"] + (isPaced ? ["--paced"] : [])
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// The write end of the program's standard input, for handlers on other threads.
    var pace: Int32 { input.fileHandleForWriting.fileDescriptor }

    /// Starts the next change of a paced writer.
    static func go(_ pace: Int32) {
        // The writer may have ended after its last change.
        signal(SIGPIPE, SIG_IGN)
        _ = write(pace, ".", 1)
    }

    /// Waits for the end and returns the exit code.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Kills the program with SIGKILL.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Built beside the test bundle, which on Linux is the running program and on Apple systems a loaded bundle.
    private static var program: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let products = bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
        return products.appendingPathComponent("StorageTorture")
    }
}
