import CNcurses
import Platform

/// A child process, such as an editor, that uses the terminal while this process waits.
public enum ForegroundChild {
    /// How the wait ended.
    public enum Outcome: Sendable, Equatable {
        /// The child ended. The status is as from `wait(2)`.
        case ended(status: Int32)
        /// The status of the child is not known.
        case lost
        /// A signal requested an end and was forwarded to the child. The caller must clean up and raise the signal
        /// again.
        case endRequested(signal: Int32)
    }

    /// Starts a program. It does not inherit the signals that this process ignores or blocks.
    ///
    /// - Parameters:
    ///   - words: the path of the program, and its arguments.
    ///   - streams: descriptors of this process, by those of the program that become the same.
    ///   - inOwnSession: whether the program leads a process group of its own, without a terminal to read from.
    /// - Returns: the process id; `nil` if the program cannot be started.
    public static func spawn(
        _ words: [String], streams: [Int32: Int32] = [:], inOwnSession: Bool = false
    ) -> Int32? {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        #if canImport(Darwin)
        let newSession = POSIX_SPAWN_SETSID
        var attributes: posix_spawnattr_t?
        var actions: posix_spawn_file_actions_t?
        #else
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID of spawn.h, which Swift does not import.
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        #endif
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in streams { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
        var (signals, none) = (sigset_t(), sigset_t())
        sigfillset(&signals)
        sigdelset(&signals, SIGKILL)
        sigdelset(&signals, SIGSTOP)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | (inOwnSession ? newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var child: pid_t = 0
        return posix_spawn(&child, words[0], &actions, &attributes, &arguments, environ) == 0 ? child : nil
    }

    /// Holds back signals that request an end until ``wait(for:)`` can forward them to a child that starts now, or until
    /// ``releaseSignals()``.
    public static func holdSignals() { cw_hold_signals() }

    /// Lets held signals through; does nothing if none are held.
    public static func releaseSignals() { cw_release_signals() }

    /// Waits until the child with this process id ends. While the child is stopped, this process is stopped too.
    public static func wait(for id: Int32) -> Outcome {
        var status: Int32 = 0
        let result = cw_wait(id, &status)
        return result == 0 ? .ended(status: status) : result < 0 ? .lost : .endRequested(signal: result)
    }
}
