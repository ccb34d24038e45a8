import CNcurses
import Platform
import TerminalUI

/// The reason why a program in the terminal cannot start or has ended.
public enum TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// No line can be read, because standard input is closed, a directory or write-only.
    case noInput
    /// The terminal in `TERM` is unknown. The name is empty if `TERM` is not set.
    case unknownTerminal(String)
    /// The terminal in `TERM` has no cursor addressing.
    case dumbTerminal(String)
    /// The terminal could not be initialized.
    case cannotStart
    /// The terminal was closed while the program ran.
    case hungUp
    /// Standard output accepts no more data, for example because the disk is full. The reason is an `errno` value.
    case outputFull(reason: Int32)
    /// SIGTERM, SIGHUP or SIGINT requested an end. Only thrown if the process has its own handler for the signal, or in
    /// a program that runs within another program.
    case ended(signal: Int32)

    /// Why a full-screen program cannot start here; `nil` if it can start.
    public static func blocker() -> TerminalError? {
        // While a screen is shown, reading the terminal's description again would reset the screen's size.
        guard cn_stdscr() == nil else { return nil }
        do throws(TerminalError) {
            try CursesTerminal.checkTerminal()
            return nil
        } catch {
            return error
        }
    }

    /// Throws if a signal has requested an end. Also notifies the watching thread that the loop is ending.
    static func checkForEnd() throws(TerminalError) {
        let signal = en_noted()
        guard signal == 0 else {
            en_acknowledge()
            throw .ended(signal: signal)
        }
    }

    /// The exit status of the program: 128 plus the number of the signal, as in a shell, and the number of SIGHUP for a
    /// hang-up; 4 if the output is full; otherwise 2.
    public var exitStatus: Int32 {
        switch self {
        case .hungUp: 129
        case .ended(let signal): 128 + signal
        case .outputFull: 4
        case .notATerminal, .noInput, .unknownTerminal, .dumbTerminal, .cannotStart: 2
        }
    }

    /// Whether a signal or a hang-up ended the program.
    public var isEndFromOutside: Bool { exitStatus > 128 }

    /// A sentence that says what happened and how to fix it. The sentence is safe to show.
    public var description: String {
        switch self {
        case .notATerminal:
            "Standard input or output is not a terminal. Start the menu in a terminal, or use the commands."
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
