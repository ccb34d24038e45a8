public import Foundation
import Synchronization

/// A program started by a test. The program is killed when this object is released: while the status of a child process
/// is not collected, swift-testing does not notice the end of exit tests, and they never finish.
public final class ChildProcess: Sendable {
    /// The process id.
    public let id: pid_t
    /// The collected exit status; `nil` while the program runs.
    private let collectedStatus = Mutex<Int32?>(nil)

    /// Starts a program.
    ///
    /// - Parameter streams: standard input, output and error of the program. If there is only one descriptor, it is
    ///   used for all three.
    public init?(_ arguments: [String], _ environment: [String: String], directory: String, streams: [Int32]) {
        #if os(Linux)
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        #else
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #endif
        // The threads of tests block most signals and ignore SIGPIPE, and children would inherit these settings.
        posix_spawnattr_init(&attributes)
        var (noSignals, defaultSignals) = (sigset_t(), sigset_t())
        sigemptyset(&noSignals)
        sigemptyset(&defaultSignals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&defaultSignals, signal) }
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setsigdefault(&attributes, &defaultSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in 0..<Int32(3) {
            posix_spawn_file_actions_adddup2(&actions, streams[min(Int(number), streams.count - 1)], number)
        }
        // The shell only changes the folder. There is no other portable way to change the folder of a child process.
        let script = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory]
        var words = (script + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        // A program that inherits the listening socket of another test's server would keep it open after the server
        // closes it. Not every library marks its descriptors as close-on-exec.
        guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd") else { return nil }
        for number in descriptors.compactMap(Int32.init) where number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        var id: pid_t = 0
        guard posix_spawn(&id, script[0], &actions, &attributes, &words, &variables) == 0 else { return nil }
        self.id = id
    }

    deinit { if status == nil { end(before: 0) } }

    /// The exit code, or 128 plus the number of the signal; `nil` while the program runs.
    public var status: Int32? { wait(WNOHANG) }

    /// Waits for the end of the program, and kills it at the deadline.
    ///
    /// - Returns: the exit code of the program; 128 plus the signal's number if a signal ended it; 124 if it was killed at
    ///   the deadline.
    @discardableResult public func end(before deadline: Double) -> Int32 {
        while true {
            if let status { return status }
            guard Clock.seconds() < deadline else {
                kill(id, SIGKILL)
                _ = wait(0)
                return 124
            }
            Clock.pause()
        }
    }

    private func wait(_ options: Int32) -> Int32? {
        collectedStatus.withLock { exitStatus in
            var status: Int32 = 0
            if exitStatus == nil, waitpid(id, &status, options) == id {
                exitStatus = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
            }
            return exitStatus
        }
    }
}

/// Monotonic time.
public enum Clock {
    /// Seconds since an arbitrary moment.
    public static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The time limit of an operation. If `MEASURE` is set, the limit is the expected time. Otherwise, the limit is at
    /// least three seconds, so that tests pass on a busy machine. An operation that never ends still fails.
    ///
    /// - Parameter seconds: the expected time on an idle machine.
    public static func limit(_ seconds: Double) -> Double { getenv("MEASURE") != nil ? seconds : max(3, seconds) }

    /// The limit for the median time of several operations. If `MEASURE` is not set, it is at least a third of a
    /// second. Polling once a second, instead of reacting to a notification, has a median of half a second and fails.
    ///
    /// - Parameter seconds: the expected median on an idle machine.
    public static func medianLimit(_ seconds: Double) -> Double {
        getenv("MEASURE") != nil ? seconds : max(0.33, seconds)
    }

    /// The pause between two checks of a condition that sends no notification: one millisecond.
    public static func pause() { poll(nil, 0, 1) }

    /// Checks a condition until it is true. The standard limit is long, as only a failure takes that time: on a busy
    /// machine, a program may need ten seconds to start.
    ///
    /// - Returns: whether the condition became true in time.
    public static func wait(atMost seconds: Double = 30, until isTrue: () throws -> Bool) rethrows -> Bool {
        let deadline = self.seconds() + seconds
        while try !isTrue() {
            guard self.seconds() < deadline else { return false }
            pause()
        }
        return true
    }
}
