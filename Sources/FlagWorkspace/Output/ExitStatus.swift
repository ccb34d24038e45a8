import Platform

/// The exit codes. The numbers are frozen: scripts rely on them.
package enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case noMatch = 1
    case usage = 2
    case invalidValue = 3
    case store = 4
    case remote = 5
    case notTaken = 6
    case interrupted = 130

    /// What the number means, for the manual.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .noMatch: "no such key, or no match"
        case .usage: "usage or configuration error"
        case .invalidValue: "the value is not valid for the key"
        case .store: "the store cannot be read or written, or is read-only"
        case .remote: "a remote source cannot be reached or read; earlier values, if any, stay in use"
        case .notTaken: "a running app has not taken the value in time"
        case .interrupted: "interrupted"
        }
    }

    /// Ends the process with this status. If it is `done` but the output failed, the output error decides the exit
    /// code.
    package func end() -> Never {
        do throws(CommandFailure) {
            try StandardOutput.flush()
        } catch {
            guard self != .done else {
                error.report()
                exit(error.status.rawValue)
            }
        }
        exit(rawValue)
    }
}

/// The error of a command, with its exit code.
package struct CommandFailure: Error {
    package let status: ExitStatus
    /// The message; empty if the error was printed already.
    package let sentence: String

    package init(_ status: ExitStatus, _ sentence: String) {
        (self.status, self.sentence) = (status, sentence)
    }

    /// Runs `body`, and makes a failure of its error.
    ///
    /// - Parameter sentence: the error in words; by default, as it describes itself.
    package static func converting<Value, Failure: Error>(
        to status: ExitStatus, _ body: () throws(Failure) -> Value, sentence: (Failure) -> String = { "\($0)" }
    ) throws(CommandFailure) -> Value {
        do throws(Failure) {
            return try body()
        } catch {
            throw CommandFailure(status, sentence(error))
        }
    }

    /// Prints the sentence to standard error.
    package func report() {
        guard !sentence.isEmpty else { return }
        StandardError.warn(sentence)
    }
}
