import DeveloperMenu
import FlagModel
import FlagStorage
import TerminalShell
import TerminalUI

/// The loop of line mode: prints lines, prompts, and leaves the rest to the engine of the full screen.
///
/// External events change the state at once and are printed before the next prompt, never in the middle of a response.
struct LineModeMenu {
    private var state: MenuState
    private var dialogue = LineModeDialogue()
    private let mailbox: Mailbox<Event>
    private let runner: EffectRunner
    private let terminal: LineTerminal
    private let keeper: SessionKeeper?
    private var isStoreRead = false
    private let now: @Sendable () -> Timestamp

    /// How long a response waits for the disk and for remote sources before the menu prompts again without them.
    private static let patience = Duration.seconds(10)

    init(
        _ state: MenuState, mailbox: Mailbox<Event>, runner: EffectRunner, terminal: LineTerminal,
        keeper: SessionKeeper?, now: @escaping @Sendable () -> Timestamp
    ) {
        self.state = state
        self.mailbox = mailbox
        self.runner = runner
        self.terminal = terminal
        self.keeper = keeper
        self.now = now
    }

    /// Runs until the user leaves.
    ///
    /// - Parameter events: the first events.
    mutating func run(after events: [Event]) throws(TerminalError) -> MenuState.Ending {
        take(events)
        try settle()
        // The caller prints that a source has no values.
        if let ending = state.ending { return ending }
        try say(dialogue.begin(state))
        while !state.isFinished {
            guard let line = try ask() else {
                try answer()
                break
            }
            take(dialogue.read(line, in: state).map(Event.line))
            try answer()
        }
        try say([LineModeDialogue.farewell(state)])
        return state.ending ?? .left
    }

    /// Prints the result of a line; a sheet without a prompt closes by itself, which may print more.
    private mutating func answer() throws(TerminalError) {
        while true {
            try settle()
            let (lines, events) = dialogue.answer(state)
            try say(lines)
            guard !events.isEmpty else { return }
            take(events.map(Event.line))
        }
    }

    /// A typed line; `nil` at the end of the input.
    private mutating func ask() throws(TerminalError) -> String? {
        try terminal.write(dialogue.prompt(state))
        while true {
            let arrival = try terminal.wait(mailbox: mailbox.descriptor, takesLines: true)
            switch arrival {
            case .line(let line):
                // A terminal echoes the line and its end; other input is not visible, so the line ends here.
                if !terminal.isTyped { try terminal.write("\n") }
                return line
            case .mail, .timeOut: take(mailbox.drain())
            case .endOfInput, .interrupt:
                try terminal.write("\n")
                if arrival == .interrupt { take([.line(.actionChosen(.interrupt, in: state.mode.part))]) }
                return nil
            }
        }
    }

    /// Waits until the requests are done, so that their result can be printed.
    private mutating func settle() throws(TerminalError) {
        take(mailbox.drain())
        let start = ContinuousClock.now
        var wasTold = false
        while !(state.isSettled && isStoreRead) && !state.isFinished {
            let left = Self.patience - start.duration(to: .now)
            guard left > .zero else { return }
            let step = wasTold ? left : min(left, .seconds(1))
            let milliseconds = Int32(step / .milliseconds(1)) + 1
            switch try terminal.wait(mailbox: mailbox.descriptor, takesLines: false, milliseconds: milliseconds) {
            case .mail: take(mailbox.drain())
            case .interrupt: take([.line(.actionChosen(.interrupt, in: state.mode.part))])
            default:
                if !wasTold { try say(["Waiting. Ctrl-C leaves."]) }
                wasTold = true
            }
        }
    }

    private mutating func take(_ events: [Event]) {
        for event in events {
            if case .store(.read) = event { isStoreRead = true }
            for effect in state.reduce(event, at: now()) { runner.perform(effect, on: terminal.control) }
        }
        keeper?.note(state)
    }

    private func say(_ lines: [String]) throws(TerminalError) {
        try terminal.write(lines.map { $0 + "\n" }.joined())
    }
}
