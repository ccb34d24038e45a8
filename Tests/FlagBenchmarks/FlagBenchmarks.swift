import Dispatch
import Flags
import Platform
import Synchronization

#if Configuration
import Configuration
#endif

enum Theme: String, FlagValue { case plain, festive }

struct Screen: Codable, FlagValue {
    var title: String
    var rows: [Int]
}

extension FlagKey<Bool> {
    static let isOn = FlagKey("is_on", default: false)
}

extension FlagKey<Int> {
    static let count = FlagKey("count", default: 0)
}

extension FlagKey<String> {
    static let text = FlagKey("text", default: "")
}

extension FlagKey<Theme> {
    static let theme = FlagKey("theme", default: .plain)
}

extension FlagKey<Screen> {
    static let screen = FlagKey("screen", default: Screen(title: "", rows: []))
}

struct Wrapped {
    @Flag var isOn: Bool
}

/// An atomic in a separate object, like a value that threads share.
final class Counter: Sendable {
    let count = Atomic<Int>(1)
}

/// A dictionary behind a lock, as an app without a library has its flags.
final class LockedValues: Sendable {
    let values = Mutex(["is_on": true])
}

/// Measures flag reads in nanoseconds, on one thread and on eight, next to an atomic load, a dictionary behind a lock and
/// swift-configuration in the same run. With an argument, it measures what announcing the app costs:
/// `.github/scripts/presence-cost.sh` uses that.
///
///     swift run -c release FlagBenchmarks [reads|changes|start on|start off]
@main struct FlagBenchmarks {
    static func main() {
        switch CommandLine.arguments.dropFirst().first {
        case "reads": PresenceBenchmarks.compareReads()
        case "changes": PresenceBenchmarks.compareChanges()
        case "start": PresenceBenchmarks.start(announces: CommandLine.arguments.last == "on")
        default: measureReads()
        }
    }

    private static func measureReads() {
        let flags = FlagStore.inMemory([
            "is_on": "true", "count": "42", "text": "hello", "theme": "festive",
            "screen": #"{"title": "Welcome", "rows": [1, 2, 3]}"#,
        ])
        let observable = ObservableFlags(flags)
        let wrapped = Wrapped(isOn: Flag(.isOn, in: flags))
        let (atomic, dictionary) = (shared(Counter()), LockedValues())
        print("nanoseconds of a read on one thread, and on each of eight threads:")
        row("atomic load", 50_000_000) { atomic.count.load(ordering: .acquiring) }
        row("dictionary behind a lock", 2_000_000) { dictionary.values.withLock { $0["is_on"] == true ? 1 : 0 } }
        #if Configuration
        let reader = ConfigReader(provider: InMemoryProvider(values: ["is_on": true]))
        row("swift-configuration, Bool", 200_000) { reader.bool(forKey: "is_on", default: false) ? 1 : 0 }
        #endif
        // As a bit, because a branch would add to the time.
        row("declared Bool", 50_000_000) { Int(unsafeBitCast(flags[.isOn], to: UInt8.self)) }
        row("declared Int", 50_000_000) { flags[.count] }
        row("Bool in a generic function", 20_000_000) { Int(unsafeBitCast(generic(.isOn, flags), to: UInt8.self)) }
        row("@Flag, Bool", 20_000_000) { Int(unsafeBitCast(wrapped.isOn, to: UInt8.self)) }
        row("declared enumeration", 20_000_000) { flags[.theme] == .festive ? 1 : 0 }
        row("declared String", 2_000_000) { flags[.text].utf8.count }
        row("declared JSON", 2_000_000) { flags[.screen].rows.count }
        row("ObservableFlags, Bool", 2_000_000) { Int(unsafeBitCast(observable[.isOn], to: UInt8.self)) }
        row("snapshot, one read", 500_000) { flags.snapshot()[.isOn] ? 1 : 0 }
        row("snapshot, JSON", 500_000) { flags.snapshot()[.screen].rows.count }
        row("read by string", 200_000) { (try? flags.bool("is_on")) == true ? 1 : 0 }
        let observation = flags.onEvaluation { _ in }
        row("declared Bool, with a handler of evaluations", 20_000_000) {
            Int(unsafeBitCast(flags[.isOn], to: UInt8.self))
        }
        row("snapshot, with a handler of evaluations", 500_000) { flags.snapshot()[.isOn] ? 1 : 0 }
        observation.cancel()
        let request: [FlagSetting] = [.set(.isOn, to: false)]
        print("with overrides of one request, on one thread:")
        let rows: [(String, Double)] = [
            ("a request, one read", time(rounds: 200_000) { flags.withOverrides(request) { flags[.isOn] ? 1 : 0 } }),
            (
                "its flag in the request",
                flags.withOverrides(request) { time(rounds: 200_000) { flags[.isOn] ? 1 : 0 } }
            ),
            (
                "another flag in the request",
                flags.withOverrides(request) { time(rounds: 200_000) { flags[.count] } }
            ),
            ("any flag beside the request", timeBeside(request, of: flags) { flags[.count] }),
        ]
        for (name, nanoseconds) in rows { print("\(name): \(hundredths(nanoseconds))") }
    }

    /// Reads a flag of any type, as code does that the compiler makes for each type.
    private static func generic<Value>(_ key: FlagKey<Value>, _ flags: FlagStore) -> Value { flags[key] }

    /// Prints the times of a read.
    @inline(__always)
    private static func row(_ name: String, _ rounds: Int, _ body: @escaping @Sendable () -> Int) {
        let alone = time(rounds: rounds, body)
        let count = 8
        let group = DispatchGroup()
        // Of all threads: a thread that waits long for a lock would outweigh the others in a mean.
        let total = Mutex((nanoseconds: 0.0, reads: 0))
        for number in 0..<count {
            DispatchQueue(label: "reader \(number)").async(group: group) {
                let start = seconds(CLOCK_MONOTONIC)
                var (sum, reads, elapsed) = (0, 0, 0.0)
                while elapsed < 0.2 {
                    for _ in 1...1_000 { sum &+= body() }
                    reads += 1_000
                    elapsed = seconds(CLOCK_MONOTONIC) - start
                }
                precondition(sum != .min)
                total.withLock { $0 = ($0.nanoseconds + elapsed * 1e9, $0.reads + reads) }
            }
        }
        group.wait()
        let together = total.withLock { $0.nanoseconds / Double($0.reads) }
        print("\(name): \(hundredths(alone)), \(hundredths(together))")
    }

    /// The time of a call on this thread while another thread handles a request with overrides.
    private static func timeBeside(_ request: [FlagSetting], of flags: FlagStore, _ body: () -> Int) -> Double {
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            flags.withOverrides(request) {
                hasBegun.signal()
                mayEnd.wait()
            }
        }
        hasBegun.wait()
        defer { mayEnd.signal() }
        return time(rounds: 200_000, body)
    }

    /// Hides the counter from the optimizer, which need not load a value that nothing else can change.
    @_optimize(none)
    private static func shared(_ counter: Counter) -> Counter { counter }

    /// The fastest of five runs, in nanoseconds of thread time per call, so that a busy machine does not matter.
    @inline(__always)
    static func time(rounds: Int = 50_000_000, _ body: () -> Int) -> Double {
        var best = Double.infinity
        for _ in 1...5 {
            var sum = 0
            let start = seconds(CLOCK_THREAD_CPUTIME_ID)
            for _ in 1...rounds { sum &+= body() }
            let elapsed = (seconds(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9
            precondition(sum != .min)
            best = min(best, elapsed / Double(rounds))
        }
        return best
    }

    /// The time of a clock in seconds.
    static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func hundredths(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
