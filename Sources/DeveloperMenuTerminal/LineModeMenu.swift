import DeveloperMenu
import FlagModel
import FlagSharing
import FlagStorage
import Flags
import TerminalShell
import TerminalUI

/// The main loop of line mode: reads lines, sends their events to the reducer, and prints the responses. The full
/// screen uses the same reducer.
///
/// Changes by other processes are handled immediately, but printed only together with the response to the next line.
struct LineModeMenu {
    private var state: MenuState
    private var session = LineModeSession()
    let open: OpenMenu
    let terminal: LineTerminal

    /// The maximum time that a response waits for the disk and for remote sources before the menu prompts again.
    private static let timeout = Duration.seconds(10)

    init(_ open: OpenMenu, on terminal: LineTerminal) {
        (self.open, self.terminal, state) = (open, terminal, open.state(TerminalLocale.outputCharset))
    }

    /// Runs until the user leaves.
    ///
    /// - Returns: how the menu ended. The overrides that stay active are printed.
    mutating func run() throws(TerminalError) -> MenuEnd {
        handle(open.firstEvents)
        try settle()
        // If there are no values, the caller prints why the menu closed.
        if state.ending != nil { return MenuEnd(state, hasPrintedOverrides: true) }
        try print(session.begin(state))
        while !state.isFinished {
            guard var line = try readLine(session.prompt(state)) else {
                try respond()
                break
            }
            // A chat or a mail may have broken a shared state into lines.
            while state.part == .list, SharedState.isCut(atEndOf: line),
                let next = try readLine("Next line of the shared state, or Enter to end: "), !next.isEmpty
            {
                line += "\n" + next
            }
            handle(session.read(line, in: state).map(Event.line))
            try respond()
        }
        try print([LineModeSession.farewell(state)])
        return MenuEnd(state, hasPrintedOverrides: true)
    }

    /// Prints the response to a line. If a sheet without a prompt is open, also closes the sheet and prints the
    /// response to that.
    private mutating func respond() throws(TerminalError) {
        while true {
            try settle()
            let (lines, events) = session.respond(state)
            try print(lines)
            guard !events.isEmpty else { return }
            handle(events.map(Event.line))
        }
    }

    /// Prints a prompt and reads a line; `nil` at the end of the input or after an interrupt.
    private mutating func readLine(_ prompt: String) throws(TerminalError) -> String? {
        try terminal.write(prompt)
        while true {
            let arrival = try terminal.wait(mailbox: open.mailbox.descriptor, takesLines: true)
            switch arrival {
            case .line(let line):
                // A terminal echoes the line and its line break. Other input is not echoed, so the line break must be
                // printed.
                if !terminal.isTyped { try terminal.write("\n") }
                return line
            case .mail, .timeOut:
                handle(open.mailbox.drain())
                // The change that leaving has waited for is saved now.
                if state.isFinished { return nil }
            case .endOfInput, .interrupt:
                try terminal.write("\n")
                if arrival == .interrupt { handle([.line(.actionChosen(.interrupt, in: state.part))]) }
                return nil
            }
        }
    }

    /// Waits until all requests are done, so that their results can be printed. Waits at most ``timeout``.
    private mutating func settle() throws(TerminalError) {
        handle(open.mailbox.drain())
        let start = ContinuousClock.now
        var isHintPrinted = false
        while !(state.isSettled && state.store.isRead) && !state.isFinished {
            let remaining = Self.timeout - start.duration(to: .now)
            guard remaining > .zero else { return }
            let step = isHintPrinted ? remaining : min(remaining, .seconds(1))
            let milliseconds = Int32(step / .milliseconds(1)) + 1
            switch try terminal.wait(mailbox: open.mailbox.descriptor, takesLines: false, milliseconds: milliseconds) {
            case .mail: handle(open.mailbox.drain())
            case .interrupt: handle([.line(.actionChosen(.interrupt, in: state.part))])
            default:
                if !isHintPrinted { try print(["Waiting. Ctrl-C leaves."]) }
                isHintPrinted = true
            }
        }
    }

    private mutating func handle(_ events: [Event]) {
        for event in events {
            let effects = state.reduce(event, at: open.menu.flags.now())
            for effect in effects { open.runner.perform(effect, on: terminal.control) }
        }
        open.keeper?.scheduleSave(of: state)
    }

    private func print(_ lines: [String]) throws(TerminalError) {
        try terminal.write(lines.map { $0 + "\n" }.joined())
    }
}
