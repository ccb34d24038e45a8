import Flags
import Platform

/// What it costs an app to announce itself.
enum PresenceBenchmarks {
    private static let flagCount = 300
    private static let changesPerSecond = 1_000
    private static let seconds = 4

    /// Declares the flags of a large app.
    private static func declare() -> [FlagKey<Bool>] {
        (0..<flagCount).map { number in
            FlagKey(
                "feature_with_a_usual_name_\(number)", default: number % 2 == 0, title: "Feature number \(number)",
                description: "What this feature does, in a sentence of usual length.", group: "Group \(number % 12)",
                owner: "ana", expires: "2027-01-31")
        }
    }

    /// A new folder for each store, which is removed by the script.
    private static func folder() -> String {
        var template = Array("\(environment("TMPDIR") ?? "/tmp")/flag-benchmark-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("The folder for the benchmark cannot be created.") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func store(_ keys: [FlagKey<Bool>], announces: Bool) -> FlagStore {
        let folder = folder()
        return FlagStore(
            app: "benchmark",
            options: .init(
                overrides: .open, declares: keys, launch: [:], announces: announces, storeDirectory: "\(folder)/state",
                cacheDirectory: "\(folder)/cache"))
    }

    /// Prints the nanoseconds of a read in each of ten runs, in turn with and without presence.
    static func compareReads() {
        let keys = declare()
        let (on, off) = (store(keys, announces: true), store(keys, announces: false))
        var bools: [(Double, Double)] = []
        var snapshots: [(Double, Double)] = []
        for _ in 1...10 {
            bools.append((readTime(on), readTime(off)))
            snapshots.append((snapshotTime(on), snapshotTime(off)))
        }
        print("declared Bool: \(line(bools))")
        print("snapshot, one read: \(line(snapshots))")
    }

    private static func readTime(_ flags: FlagStore) -> Double {
        FlagBenchmarks.time(rounds: 10_000_000) { Int(unsafeBitCast(flags[.isOn], to: UInt8.self)) }
    }

    private static func snapshotTime(_ flags: FlagStore) -> Double {
        FlagBenchmarks.time(rounds: 50_000) { flags.snapshot()[.isOn] ? 1 : 0 }
    }

    private static func line(_ pairs: [(on: Double, off: Double)]) -> String {
        func shown(_ times: [Double]) -> String {
            let sorted = times.sorted()
            return "\(FlagBenchmarks.hundredths(sorted[sorted.count / 2])) ns "
                + "(\(FlagBenchmarks.hundredths(sorted[0])) to \(FlagBenchmarks.hundredths(sorted[sorted.count - 1])))"
        }
        return "on \(shown(pairs.map(\.on))), off \(shown(pairs.map(\.off)))"
    }

    /// Prints the processor time of 1,000 changes a second, each of which is read, in turn with and without presence.
    static func compareChanges() {
        let keys = declare()
        for isOneFlag in [true, false] {
            var times: [Bool: [Double]] = [:]
            for round in 0..<6 {
                let announces = round % 2 == 0
                times[announces, default: []].append(change(keys, store(keys, announces: announces), isOneFlag))
            }
            let (on, off) = (times[true, default: []].sorted()[1], times[false, default: []].sorted()[1])
            print(
                "\(changesPerSecond) changes a second of \(isOneFlag ? "one flag" : "\(flagCount) flags in turn"): "
                    + "on \(FlagBenchmarks.hundredths(on)) %, off \(FlagBenchmarks.hundredths(off)) %, "
                    + "presence \(FlagBenchmarks.hundredths(on - off)) % of a core")
        }
    }

    /// The processor time of the process while flags change, in percent of a core.
    private static func change(_ keys: [FlagKey<Bool>], _ flags: FlagStore, _ isOneFlag: Bool) -> Double {
        for key in keys { _ = flags[key] }
        usleep(300_000)
        let (start, begin) = (FlagBenchmarks.seconds(CLOCK_PROCESS_CPUTIME_ID), FlagBenchmarks.seconds(CLOCK_MONOTONIC))
        for number in 0..<changesPerSecond * seconds {
            let key = keys[isOneFlag ? 0 : number % flagCount]
            let isOn = (isOneFlag ? number : number / flagCount) % 2 == 0
            flags.updateRemote([key.name: isOn ? "true" : "false"])
            precondition(flags[key] == isOn)
            let next = begin + Double(number + 1) / Double(changesPerSecond)
            let wait = next - FlagBenchmarks.seconds(CLOCK_MONOTONIC)
            if wait > 0 { usleep(UInt32(wait * 1e6)) }
        }
        let elapsed = FlagBenchmarks.seconds(CLOCK_MONOTONIC) - begin
        return (FlagBenchmarks.seconds(CLOCK_PROCESS_CPUTIME_ID) - start) / elapsed * 100
    }

    /// Starts an app with 300 flags, and prints the microseconds until it has read all of them, and its memory in KiB
    /// half a second later.
    static func start(announces: Bool) {
        let begin = FlagBenchmarks.seconds(CLOCK_MONOTONIC)
        let keys = declare()
        let flags = store(keys, announces: announces)
        var count = 0
        for key in keys where flags[key] { count += 1 }
        let elapsed = FlagBenchmarks.seconds(CLOCK_MONOTONIC) - begin
        precondition(count == flagCount / 2)
        usleep(500_000)
        print("\(Int(elapsed * 1e6)) \(residentKibibytes())")
        withExtendedLifetime(flags) {}
    }

    /// The memory of the process; 0 on systems that do not have `/proc`.
    private static func residentKibibytes() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 256)
        while fgets(&buffer, 256, file) != nil {
            let line = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if line.hasPrefix("VmRSS:") { return Int(line.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
