public import TerminalUI

/// A full-screen program: a state, how events change it, its view, and how its effects are performed.
///
/// Events come from keys, from the terminal's size and from the mailbox. The program ends when `isFinished` returns
/// true.
public struct Program<State, Event: Sendable, Effect> {
    private let state: State
    private let reduce: (inout State, Event) -> [Effect]
    private let view: (State) -> Screen
    private let keyEvent: (KeyPress) -> Event
    private let resizeEvent: (Size) -> Event
    private let backgroundEvent: (TerminalBackground) -> Event?
    private let perform: (Effect, TerminalControl) -> Void
    private let isFinished: (State) -> Bool
    private let isReady: (State) -> Bool
    private let finish: () -> Void

    /// How long the first frame is delayed, in milliseconds: too short to be noticed.
    private static var firstFramePatience: Int { 20 }

    /// How long events may delay a frame, in milliseconds; the last of them may add its own duration.
    private static var stepPatience: Int { 20 }

    /// A program.
    ///
    /// - Parameters:
    ///   - state: the initial state.
    ///   - reduce: changes the state for an event, and returns the effects to perform.
    ///   - view: the screen of a state.
    ///   - keyEvent: the event for a key.
    ///   - resizeEvent: the event for a size; the first event of each run.
    ///   - backgroundEvent: the event for the terminal's background; it comes if the terminal reports it, and possibly a
    ///     second time, as the environment may name another one at first.
    ///   - perform: performs an effect, on the loop's thread; slow work belongs elsewhere and responds by mailbox.
    ///   - isFinished: whether the program has ended.
    ///   - isReady: whether there is something to show. The first frame waits for that, but not noticeably:
    ///     drawing a frame that is replaced at once would only delay the next one.
    ///   - finish: the remaining work if the program is ended from outside, after its terminal is restored and its
    ///     `PendingWork` is done: afterwards the signal that ends it takes effect.
    public init(
        state: State,
        reduce: @escaping (inout State, Event) -> [Effect],
        view: @escaping (State) -> Screen,
        keyEvent: @escaping (KeyPress) -> Event,
        resizeEvent: @escaping (Size) -> Event,
        backgroundEvent: @escaping (TerminalBackground) -> Event? = { _ in nil },
        perform: @escaping (Effect, TerminalControl) -> Void,
        isFinished: @escaping (State) -> Bool,
        isReady: @escaping (State) -> Bool = { _ in true },
        finish: @escaping () -> Void = {}
    ) {
        self.state = state
        self.reduce = reduce
        self.view = view
        self.keyEvent = keyEvent
        self.resizeEvent = resizeEvent
        self.backgroundEvent = backgroundEvent
        self.perform = perform
        self.isFinished = isFinished
        self.isReady = isReady
        self.finish = finish
    }

    /// Runs the program on standard input and output until it is finished, and restores the terminal.
    ///
    /// SIGTERM, SIGHUP and SIGINT end it too: it restores the terminal, finishes `PendingWork`, and raises the signal
    /// again for its earlier handler, which by default ends the process.
    ///
    /// - Parameter next: the program that follows one with this last state, with its mailbox; `nil` for none. It uses
    ///   the same screen, on which only differences are drawn, and gets the type-ahead.
    /// - Throws: a sentence if the terminal cannot be used, `hungUp` if it is closed, or `ended` if the process
    ///   survives a signal.
    /// - Returns: the last state of the last program.
    public func run(
        mailbox: Mailbox<Event>, options: TerminalOptions = TerminalOptions(),
        followedBy next: (State) -> (program: Program, mailbox: Mailbox<Event>)? = { _ in nil }
    ) throws(TerminalError) -> State {
        let terminal = try CursesTerminal(options: options)
        var running = (program: self, mailbox: mailbox)
        let last: Result<State, TerminalError>
        do throws(TerminalError) {
            var state = try run(on: terminal, mailbox)
            while let following = next(state) {
                running = following
                _ = terminal.setMouse(false)
                state = try running.program.run(on: terminal, running.mailbox)
            }
            last = .success(state)
            terminal.leave()
            // A signal may arrive while the user leaves.
            if terminal.isEndAsked { running.program.finish() }
        } catch {
            last = .failure(error)
            terminal.abandon()
            PendingWork.finish()
            running.program.finish()
        }
        let signal = terminal.returnSignals()
        if signal != 0 { throw TerminalError(.ended(signal: signal)) }
        return try last.get()
    }

    /// Runs the program until it is finished on the screen of another one, which waits meanwhile in one of its effects
    /// and redraws its own frame afterwards. The terminal is not restored in between, so nothing flickers, and no
    /// type-ahead is lost.
    ///
    /// - Parameter control: the terminal from the other program's effect.
    /// - Throws: `cannotStart` if the other program has no screen, `hungUp` if the terminal is closed, or `ended` if a
    ///   signal requests it: the other program then ends as well.
    /// - Returns: the last state.
    public func run(mailbox: Mailbox<Event>, on control: TerminalControl) throws(TerminalError) -> State {
        guard let terminal = control.terminal else { throw TerminalError(.cannotStart) }
        let hadMouse = terminal.reader.decoder.expectsMouse
        _ = terminal.setMouse(false)
        defer { _ = terminal.setMouse(hadMouse) }
        return try run(on: terminal, mailbox)
    }

    private func run(on terminal: CursesTerminal, _ mailbox: Mailbox<Event>) throws(TerminalError) -> State {
        guard mailbox.descriptor >= 0 else { throw TerminalError(.cannotStart) }
        let control = TerminalControl(terminal: terminal)
        var state = state
        var size = terminal.size
        let arrivals = Arrivals([.news(resizeEvent(size))])
        arrivals.add(keys: terminal.typedAhead(), news: [])
        let typedAheadOutside = terminal.typedAhead
        terminal.typedAhead = arrivals.takeKeys
        defer { terminal.typedAhead = typedAheadOutside }
        if let event = (terminal.takeBackground() ?? terminal.knownBackground).flatMap(backgroundEvent) {
            arrivals.waiting.append(.news(event))
        }
        var isFrameDue = true
        // `nil` if there is nothing more to wait for.
        var firstFrameDue: Int? = MonotonicTime.milliseconds() + Self.firstFramePatience
        while true {
            if takeIn(arrivals, into: &state, control) { isFrameDue = true }
            if isFinished(state) {
                terminal.heldKeys = arrivals.takeKeys()
                return state
            }
            try TerminalError.checkForEnd()
            // Also changed while another program ran on this terminal.
            guard terminal.size == size else {
                size = terminal.size
                arrivals.waiting.append(.news(resizeEvent(size)))
                continue
            }
            isFrameDue = isFrameDue || terminal.isRepaintDue
            // While the terminal accepts no output, events still change the state, and only the last one is drawn.
            let patience = firstFrameDue.map { $0 - MonotonicTime.milliseconds() } ?? 0
            if patience <= 0 || isReady(state) { firstFrameDue = nil }
            if isFrameDue, firstFrameDue == nil, terminal.isWritable {
                terminal.present(view(state))
                isFrameDue = false
            }
            let keys = try terminal.wait(
                mailbox: mailbox.descriptor, isFrameDue: isFrameDue && firstFrameDue == nil,
                milliseconds: !arrivals.waiting.isEmpty ? 0 : firstFrameDue == nil ? nil : Int32(patience))
            arrivals.add(keys: keys, news: mailbox.drain())
            if let event = terminal.takeBackground().flatMap(backgroundEvent) { arrivals.waiting.append(.news(event)) }
            terminal.takeSignals()
        }
    }

    /// Pending input. Keys stay keys until it is handled: an effect may pass the terminal to another program that they
    /// were typed for.
    private enum Arrival {
        case key(KeyPress)
        case news(Event)

        var key: KeyPress? { if case .key(let key) = self { key } else { nil } }
    }

    private final class Arrivals {
        var waiting: ArraySlice<Arrival>

        init(_ waiting: [Arrival]) { self.waiting = waiting[...] }

        /// Joining arrays would make the runtime look up types, before the first frame.
        func add(keys: [KeyPress], news: [Event]) {
            for key in keys { waiting.append(.key(key)) }
            for event in news { waiting.append(.news(event)) }
        }

        func takeKeys() -> [KeyPress] {
            let keys = waiting.compactMap { $0.key }
            waiting.removeAll { $0.key != nil }
            return keys
        }
    }

    /// Handles events until there are none, until one of them ends the program, or until a frame is due in between:
    /// letters that arrive together may each search 100,000 flags.
    ///
    /// - Returns: whether there were any.
    private func takeIn(_ arrivals: Arrivals, into state: inout State, _ control: TerminalControl) -> Bool {
        let start = MonotonicTime.milliseconds()
        var hasTaken = false
        while !isFinished(state), control.terminal?.isEndAsked != true,
            MonotonicTime.milliseconds() - start < Self.stepPatience,
            let arrival = arrivals.waiting.popFirst()
        {
            hasTaken = true
            let event =
                switch arrival {
                case .key(let key): keyEvent(key)
                case .news(let news): news
                }
            for effect in reduce(&state, event) { perform(effect, control) }
        }
        return hasTaken
    }
}
