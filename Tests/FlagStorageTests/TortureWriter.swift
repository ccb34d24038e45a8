import Foundation
import TestSupport
import Testing

/// One run of the program `StorageTorture`.
struct TortureWriter {
    /// How a run ended.
    struct Outcome {
        /// The acknowledged numbers, in order.
        var acknowledged: [Int]
        var errors: String
        /// The exit code, 128 plus the number of a signal, or 124 if the program was killed.
        var status: Int32
    }

    let directory: String
    let prefix: String
    var first = 0
    let count: Int
    let keys: Int
    var options: [String] = []

    /// Runs to the end, or until it is killed after some seconds.
    func run(killedAfter seconds: Double = 120) throws -> Outcome {
        let place = Workplace()
        // Files, so that all that a killed program has written is read.
        let streams = [open("/dev/null", O_RDONLY)] + ["output", "errors"].map { creat(place.place($0), 0o600) }
        let program = "\(Workplace.flagmenu.dropLast("flagmenu".count))StorageTorture"
        let process = try #require(
            ChildProcess(
                [program, directory, prefix, "\(first)", "\(count)", "\(keys)"] + options, place.environment,
                directory: place.path, streams: streams))
        streams.forEach { close($0) }
        let status = process.end(before: Clock.seconds() + seconds)
        let lines = try #require(place.read("output")).split(separator: "\n")
        return Outcome(
            acknowledged: lines.compactMap { Int($0) }, errors: try #require(place.read("errors")), status: status)
    }
}
