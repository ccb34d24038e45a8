import Foundation

/// One run of the program `StorageTorture`.
struct TortureWriter {
    /// How a run ended.
    struct Outcome {
        /// The acknowledged numbers, in order.
        var acknowledged: [Int]
        var errors: String
        /// The exit code, or the signal that ended the program.
        var status: Int32
        var wasKilled: Bool
    }

    let directory: String
    let prefix: String
    var first = 0
    let count: Int
    let keys: Int
    var options: [String] = []

    /// Runs to the end, or until it is killed after the given number of microseconds.
    func run(killedAfter microseconds: Int? = nil) throws -> Outcome {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = [directory, prefix, "\(first)", "\(count)", "\(keys)"] + options
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        if let microseconds, ended.wait(timeout: .now() + .microseconds(microseconds)) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
        } else if microseconds != nil {
            ended.signal()
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        ended.wait()
        return Outcome(
            acknowledged: text.split(separator: "\n").compactMap { Int($0) },
            errors: words,
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal
        )
    }

    /// Built beside the test bundle, which on Linux is the running program and on Apple systems a loaded bundle.
    private static var program: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let products = bundle?.deletingLastPathComponent() ?? Bundle.main.bundleURL
        return products.appendingPathComponent("StorageTorture")
    }
}
