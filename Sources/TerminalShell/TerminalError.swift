import CNcurses
import Platform
import TerminalUI

/// Why a full-screen program cannot start, or had to end.
public struct TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Code: Sendable, Hashable {
        /// Standard input or output is not a terminal.
        case notATerminal
        /// Standard input is closed, or is a directory or a stream for writing, so that no line can come from there.
        case noInput
        /// Nothing is known about the terminal that `TERM` names; the name is empty when `TERM` is not set.
        case unknownTerminal(String)
        /// The terminal that `TERM` names cannot place its cursor.
        case dumbTerminal(String)
        /// The terminal refused to be driven.
        case cannotStart
        /// The terminal went away while the program ran.
        case hungUp
        /// Standard output takes no more while the program runs, for the reason that an `errno` value tells: a full disk.
        case outputFull(reason: Int32)
        /// A signal asked the program to end: SIGTERM, SIGHUP or SIGINT. Only a process that has plans of its own for the
        /// signal, or a program within another one, sees this.
        case ended(signal: Int32)
    }

    /// What happened.
    public let code: Code

    /// A terminal error.
    public init(_ code: Code) {
        self.code = code
    }

    /// What would keep a full-screen program from starting here; `nil` when nothing does.
    public static func obstacle() -> TerminalError? {
        do throws(TerminalError) {
            try CursesTerminal.checkTerminal()
            return nil
        } catch {
            return error
        }
    }

    /// Ends the program where a signal has asked for that, and tells the thread that watches over it.
    static func checkForEnd() throws(TerminalError) {
        let signal = en_noted()
        guard signal == 0 else {
            en_answer()
            throw TerminalError(.ended(signal: signal))
        }
    }

    /// The exit status a program ends with: 128 and the signal's number, as a shell reports one that ended it, which is
    /// SIGHUP after a hang-up too; 4 where output takes no more, else 2.
    public var exitStatus: Int32 {
        switch code {
        case .hungUp: 129
        case .ended(let signal): 128 + signal
        case .outputFull: 4
        case .notATerminal, .noInput, .unknownTerminal, .dumbTerminal, .cannotStart: 2
        }
    }

    /// Whether the program ran, and was ended from outside.
    public var isEndFromOutside: Bool { exitStatus > 128 }

    /// What happened and what to do, as a sentence that is safe to show.
    public var description: String {
        switch code {
        case .notATerminal:
            "Standard input and output are not both a terminal. Start the menu in a terminal, or use the commands."
        case .noInput:
            "Standard input is closed or cannot be read. Keep it open, or use the commands."
        case .unknownTerminal(""):
            "TERM is not set. Set it, for example TERM=xterm-256color."
        case .unknownTerminal(let name):
            "Unknown terminal TERM=\(DisplayText.safe(name)). "
                + "Set TERM to a known one, for example xterm-256color, or install its terminfo entry."
        case .dumbTerminal(let name):
            "The terminal TERM=\(DisplayText.safe(name)) cannot move its cursor. "
                + "Use --accessible or the commands, or set TERM to the actual terminal."
        case .cannotStart:
            "The terminal could not be prepared for full-screen use. Try another terminal, or use the commands."
        case .hungUp:
            "The terminal is gone. All changes are saved."
        case .outputFull(let reason):
            "Standard output cannot be written: \(String(cString: strerror(reason))). All changes are saved."
        case .ended(let signal):
            "Ended by signal \(signal). All changes are saved."
        }
    }
}
