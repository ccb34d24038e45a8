import Dispatch
import Flags
import Platform
import Synchronization

extension FlagKey<Bool> {
    static let isOn = FlagKey("is_on", default: false)
}

extension FlagKey<Int> {
    static let count = FlagKey("count", default: 0)
}

extension FlagKey<String> {
    static let text = FlagKey("text", default: "")
}

struct Wrapped {
    @Flag var isOn: Bool
}

/// An atomic in a separate object, like a value that threads share.
final class Counter: Sendable {
    let count = Atomic<Int>(1)
}

/// Measures flag reads in nanoseconds, next to an atomic load and a dictionary lookup in the same run. With an argument, it
/// measures what announcing the app costs: `.github/scripts/presence-cost.sh` uses that.
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
        let flags = FlagStore.inMemory(["is_on": "true", "count": "42", "text": "hello"])
        let observable = ObservableFlags(flags)
        let wrapped = Wrapped(isOn: Flag(.isOn, in: flags))
        let atomic = Self.shared(Counter())
        let dictionary = Mutex(["is_on": true])
        let request: [FlagSetting] = [.set(.isOn, to: false)]
        let load = time { atomic.count.load(ordering: .acquiring) }
        let rows: [(String, Double)] = [
            ("atomic load", load),
            // As a bit, because a branch would add to the time.
            ("declared Bool", time { Int(unsafeBitCast(flags[.isOn], to: UInt8.self)) }),
            ("declared Int", time { flags[.count] }),
            ("@Flag of a store, Bool", time(rounds: 2_000_000) { wrapped.isOn ? 1 : 0 }),
            (
                "ObservableFlags, Bool",
                time(rounds: 2_000_000) { Int(unsafeBitCast(observable[.isOn], to: UInt8.self)) }
            ),
            ("declared String", time(rounds: 2_000_000) { flags[.text].utf8.count }),
            (
                "dictionary behind a lock",
                time(rounds: 2_000_000) { dictionary.withLock { $0["is_on"] == true ? 1 : 0 } }
            ),
            ("snapshot, one read", time(rounds: 200_000) { flags.snapshot()[.isOn] ? 1 : 0 }),
            ("read by string", time(rounds: 200_000) { (try? flags.bool("is_on")) == true ? 1 : 0 }),
            (
                "request with an override, one read",
                time(rounds: 200_000) { flags.withOverrides(request) { flags[.isOn] ? 1 : 0 } }
            ),
            (
                "declared Bool, in a request with an override of it",
                flags.withOverrides(request) { time(rounds: 200_000) { flags[.isOn] ? 1 : 0 } }
            ),
            (
                "declared Int, in a request with an override of another flag",
                flags.withOverrides(request) { time(rounds: 200_000) { flags[.count] } }
            ),
            ("declared Int, beside a request with an override", timeBeside(request, of: flags) { flags[.count] }),
        ]
        for (operation, nanoseconds) in rows {
            print("\(operation): \(hundredths(nanoseconds)) ns, \(hundredths(nanoseconds / load)) atomic loads")
        }
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
