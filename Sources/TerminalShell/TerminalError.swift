import TerminalUI

/// Why a full-screen program cannot start, or had to end.
public struct TerminalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What happened.
    public enum Code: Sendable, Hashable {
        /// Standard input or output is not a terminal.
        case notATerminal
        /// Nothing is known about the terminal that `TERM` names; the name is empty when `TERM` is not set.
        case unknownTerminal(String)
        /// The terminal that `TERM` names cannot place its cursor.
        case dumbTerminal(String)
        /// The terminal refused to be driven.
        case cannotStart
        /// The terminal went away while the program ran.
        case hungUp
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

    /// The exit status a program ends with: 129, as a shell reports SIGHUP, after a hang-up, else 2.
    public var exitStatus: Int32 { code == .hungUp ? 129 : 2 }

    /// What happened and what to do, as a sentence that is safe to show.
    public var description: String {
        switch code {
        case .notATerminal:
            "Standard input and output are not both a terminal. Start the menu in a terminal, or use the commands."
        case .unknownTerminal(""):
            "TERM is not set, so nothing is known about this terminal. Set it, for example TERM=xterm-256color."
        case .unknownTerminal(let name):
            "Nothing is known about the terminal TERM=\(DisplayText.safe(name)). "
                + "Set TERM to a known one, for example xterm-256color, or install its terminfo entry."
        case .dumbTerminal(let name):
            "The terminal TERM=\(DisplayText.safe(name)) cannot place its cursor. "
                + "Use --accessible or the commands, or set TERM to what the terminal really is."
        case .cannotStart:
            "The terminal could not be prepared for full-screen use. Try another terminal, or use the commands."
        case .hungUp:
            "The terminal is gone. Everything was saved the moment it was done."
        }
    }
}
