public import Foundation
import Synchronization

/// A program that a test started. It ends with the object: a process whose end nobody takes keeps swift-testing from noticing how
/// its exit tests end, which then never do.
public final class ChildProcess: Sendable {
    /// Its number.
    public let id: pid_t
    private let known = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameter streams: its standard input, output and error; a single one is all three of them.
    public init?(_ arguments: [String], _ environment: [String: String], directory: String, streams: [Int32]) {
        #if os(Linux)
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        #else
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #endif
        // The threads that tests run on block most signals and ignore SIGPIPE, and children would inherit that.
        posix_spawnattr_init(&attributes)
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in 0..<Int32(3) {
            posix_spawn_file_actions_adddup2(&actions, streams[min(Int(number), streams.count - 1)], number)
        }
        // The shell only changes the folder, for which there is no portable way otherwise.
        let script = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory]
        var words = (script + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        // A program that had the listening socket of another test's server would keep it open after that has refused. Not
        // every library marks its descriptors. Some machines set no limit to their number; this many are never open.
        for number in 3..<min(getdtablesize(), 1 << 14) { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        var id: pid_t = 0
        guard posix_spawn(&id, script[0], &actions, &attributes, &words, &variables) == 0 else { return nil }
        self.id = id
    }

    deinit { if status == nil { end(before: 0) } }

    /// How it has ended: the exit code, or 128 and the signal; `nil` while it runs.
    public var status: Int32? { wait(WNOHANG) }

    /// Waits for the end, and kills what has not ended before the deadline.
    ///
    /// - Returns: the exit code, 128 and the signal, or 124 after a kill.
    @discardableResult public func end(before deadline: Double) -> Int32 {
        while true {
            if let status { return status }
            guard Clock.seconds() < deadline else {
                kill(id, SIGKILL)
                _ = wait(0)
                return 124
            }
            Clock.moment()
        }
    }

    private func wait(_ options: Int32) -> Int32? {
        known.withLock { known in
            var status: Int32 = 0
            if known == nil, waitpid(id, &status, options) == id {
                known = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            }
            return known
        }
    }
}

/// Time that nobody sets.
public enum Clock {
    /// Seconds since some moment in the past.
    public static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// How long something may take: what it should take where `MEASURE` is set, so that a busy machine fails no test
    /// about something else; three seconds elsewhere, which still tells at once from never.
    ///
    /// - Parameter seconds: what it should take on an idle machine.
    public static func limit(_ seconds: Double) -> Double { getenv("MEASURE") != nil ? seconds : max(3, seconds) }

    /// How long the median of several such times may be: a third of a second where `MEASURE` is not set. Who polls once a
    /// second where it should be told has a median of half a second.
    ///
    /// - Parameter seconds: what it should be on an idle machine.
    public static func medianLimit(_ seconds: Double) -> Double {
        getenv("MEASURE") != nil ? seconds : max(0.33, seconds)
    }

    /// The pause between two looks at a condition that announces itself to nobody: one millisecond.
    public static func moment() { poll(nil, 0, 1) }

    /// Looks until a condition holds.
    ///
    /// - Returns: whether it came to hold in time.
    public static func wait(atMost seconds: Double = 10, until isTrue: () throws -> Bool) rethrows -> Bool {
        let deadline = self.seconds() + seconds
        while try !isTrue() {
            guard self.seconds() < deadline else { return false }
            moment()
        }
        return true
    }
}
