import DeveloperMenu
import FlagModel
import FlagStorage
import TerminalShell
import TerminalUI

/// The loop of the menu in lines: says what there is to say, asks, and lets the engine of the full screen do the rest.
///
/// News from outside change the state at once and are told before the next question, never in the middle of an answer.
struct LineModeMenu {
    private var state: MenuState
    private var dialogue = LineModeDialogue()
    private let mailbox: Mailbox<Event>
    private let runner: EffectRunner
    private let terminal: LineTerminal
    private let keeper: SessionKeeper?
    private var isStoreRead = false
    private let now: @Sendable () -> Timestamp

    /// For how long an answer waits for the disk and for remote sources before the menu asks on without them.
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

    /// Talks until the user leaves.
    ///
    /// - Parameter events: what comes before everything else.
    mutating func run(after events: [Event]) throws(TerminalError) -> MenuState.Ending {
        take(events)
        try settle()
        // A source without any values is told by whoever opened the menu.
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

    /// Tells the outcome of a line; what was only to be told closes by itself, which may have an outcome too.
    private mutating func answer() throws(TerminalError) {
        while true {
            try settle()
            let (lines, events) = dialogue.answer(state)
            try say(lines)
            guard !events.isEmpty else { return }
            take(events.map(Event.line))
        }
    }

    /// A line that was typed; `nil` when there will be none.
    private mutating func ask() throws(TerminalError) -> String? {
        try terminal.write(dialogue.prompt(state))
        while true {
            let arrival = try terminal.wait(mailbox: mailbox.descriptor, takesLines: true)
            switch arrival {
            case .line(let line):
                // A terminal has shown the line and its end; from elsewhere nothing is seen, so the line ends here.
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

    /// Waits until what was asked for is done, so that its outcome can be told.
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
