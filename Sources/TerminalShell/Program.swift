public import TerminalUI

/// A full-screen program: a state, and functions that change the state for an event, show it and perform effects.
///
/// Events come from keys, from the terminal's size and from the mailbox. The program ends when `isFinished` returns
/// `true`.
public struct Program<State, Event: Sendable, Effect> {
    private let state: State
    private let reduce: (inout State, Event) -> [Effect]
    private let view: (State) -> Screen
    private let keyEvent: (KeyPress) -> Event
    private let resizeEvent: (Size) -> Event
    private let backgroundEvent: (TerminalBackground) -> Event?
    private let idleEvent: Event?
    private let idleTimeout: (State) -> Int
    private let perform: (Effect, TerminalControl) -> Void
    private let isFinished: (State) -> Bool
    private let isReady: (State) -> Bool
    private let finish: () -> Void

    /// The maximum delay of the first frame, in milliseconds. It is too short to be noticed.
    private static var firstFrameTimeout: Int { 20 }

    /// The maximum time that events may delay a frame, in milliseconds. The last event may exceed this limit.
    private static var stepTimeout: Int { 20 }

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - state: the initial state.
    ///   - reduce: changes the state for an event, and returns the effects to perform.
    ///   - view: returns the screen for a state.
    ///   - keyEvent: returns the event for a key.
    ///   - resizeEvent: returns the event for a terminal size. Each run starts with such an event.
    ///   - backgroundEvent: returns the event for the terminal's background. It is sent when the environment names the
    ///     background, and again if the terminal's response differs.
    ///   - idleEvent: an event that is sent after a time without another one, so that shown ages stay true; `nil` for
    ///     none.
    ///   - idleTimeout: the time without events after which `idleEvent` is sent, in milliseconds: by default a minute,
    ///     the unit of ages.
    ///   - perform: performs an effect, on the loop's thread. Slow work must run on another thread, and post its result
    ///     to the mailbox.
    ///   - isFinished: whether the program has ended.
    ///   - isReady: whether there is something to show. The first frame waits until then, but at most 20 ms: drawing a
    ///     frame that is soon replaced would only delay the next frame.
    ///   - finish: called if a signal or a hang-up ends the program, after the terminal is restored and `PendingWork`
    ///     is done, and before the signal is raised again.
    public init(
        state: State,
        reduce: @escaping (inout State, Event) -> [Effect],
        view: @escaping (State) -> Screen,
        keyEvent: @escaping (KeyPress) -> Event,
        resizeEvent: @escaping (Size) -> Event,
        backgroundEvent: @escaping (TerminalBackground) -> Event? = { _ in nil },
        idleEvent: Event? = nil,
        idleTimeout: @escaping (State) -> Int = { _ in 60_000 },
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
        self.idleEvent = idleEvent
        self.idleTimeout = idleTimeout
        self.perform = perform
        self.isFinished = isFinished
        self.isReady = isReady
        self.finish = finish
    }

    /// Runs the program on standard input and output until it is finished, and restores the terminal.
    ///
    /// On SIGTERM, SIGHUP and SIGINT, the program restores the terminal, finishes `PendingWork`, and raises the signal
    /// again for the handler that was installed before. By default the signal then ends the process.
    ///
    /// - Parameter next: receives the last state of a program, and returns the next program and its mailbox; `nil` to
    ///   end. The next program uses the same screen, draws only the differences, and gets the type-ahead.
    /// - Throws: an error if the terminal cannot be used, `hungUp` if it is closed, or `ended` if the process survives
    ///   a signal.
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
            while let nextProgram = next(state) {
                running = nextProgram
                _ = terminal.setMouse(false)
                state = try running.program.run(on: terminal, running.mailbox)
            }
            last = .success(state)
            terminal.leave()
            // A signal may have arrived after the user quit.
            if terminal.isEndRequested { running.program.finish() }
        } catch {
            last = .failure(error)
            terminal.abandon()
            PendingWork.finish()
            running.program.finish()
        }
        let signal = terminal.restoreSignals()
        if signal != 0 { throw .ended(signal: signal) }
        return try last.get()
    }

    /// Runs the program on the screen of another program until it is finished. The other program waits in one of its
    /// effects, and redraws its frame afterwards. The terminal is not restored in between, so the screen does not
    /// flicker and no type-ahead is lost.
    ///
    /// - Parameter control: the terminal from the other program's effect.
    /// - Throws: `cannotStart` if the other program has no screen, `hungUp` if the terminal is closed, or `ended` if a
    ///   signal requests an end. In the last case the other program ends as well.
    /// - Returns: the last state.
    public func run(mailbox: Mailbox<Event>, on control: TerminalControl) throws(TerminalError) -> State {
        guard let terminal = control.terminal else { throw .cannotStart }
        let hadMouse = terminal.reader.decoder.expectsMouse
        _ = terminal.setMouse(false)
        defer { _ = terminal.setMouse(hadMouse) }
        return try run(on: terminal, mailbox)
    }

    private func run(on terminal: CursesTerminal, _ mailbox: Mailbox<Event>) throws(TerminalError) -> State {
        guard mailbox.descriptor >= 0 else { throw .cannotStart }
        let control = TerminalControl(terminal: terminal)
        var state = state
        var size = terminal.size
        let arrivals = Arrivals([.event(resizeEvent(size))] + terminal.drainUnhandledKeys().map(Arrival.key))
        let outerDrainUnhandledKeys = terminal.drainUnhandledKeys
        terminal.drainUnhandledKeys = arrivals.drainKeys
        defer { terminal.drainUnhandledKeys = outerDrainUnhandledKeys }
        var background: TerminalBackground?
        var isFrameDue = true
        // When the first frame must be drawn; `nil` as soon as the frame need not wait.
        var firstFrameDeadline: Int? = MonotonicTime.milliseconds() + Self.firstFrameTimeout
        var idleSince = MonotonicTime.milliseconds()
        while true {
            if terminal.background != background {
                background = terminal.background
                if let event = background.flatMap(backgroundEvent) { arrivals.waiting.append(.event(event)) }
            }
            if handle(arrivals, into: &state, control) { isFrameDue = true }
            if isFinished(state) {
                terminal.typeAhead = arrivals.drainKeys()
                return state
            }
            try TerminalError.checkForEnd()
            // The size may also have changed while another program used this terminal.
            guard terminal.size == size else {
                size = terminal.size
                arrivals.waiting.append(.event(resizeEvent(size)))
                continue
            }
            isFrameDue = isFrameDue || terminal.isRepaintDue
            // While the terminal does not accept output, events still change the state, and only the last state is
            // drawn.
            let timeout = firstFrameDeadline.map { $0 - MonotonicTime.milliseconds() } ?? 0
            if timeout <= 0 || isReady(state) { firstFrameDeadline = nil }
            if isFrameDue, firstFrameDeadline == nil, terminal.isWritable {
                terminal.present(view(state))
                isFrameDue = false
            }
            let idleEnd = idleSince + idleTimeout(state)
            let idleTime = idleEvent == nil ? nil : idleEnd - MonotonicTime.milliseconds()
            let limit = firstFrameDeadline == nil ? idleTime.map { max(0, $0) } : timeout
            let keys = try terminal.wait(
                mailbox: mailbox.descriptor, isFrameDue: isFrameDue && firstFrameDeadline == nil,
                milliseconds: !arrivals.waiting.isEmpty ? 0 : limit.map { Int32($0) })
            arrivals.waiting += keys.map(Arrival.key) + mailbox.drain().map(Arrival.event)
            let isIdle = arrivals.waiting.isEmpty && idleEnd <= MonotonicTime.milliseconds()
            if isIdle, let idleEvent { arrivals.waiting.append(.event(idleEvent)) }
            if !arrivals.waiting.isEmpty { idleSince = MonotonicTime.milliseconds() }
            terminal.handleSignals()
        }
    }

    /// Pending input. A key becomes an event only when it is handled, because an effect may pass the terminal, together
    /// with the keys typed for it, to another program.
    private enum Arrival {
        case key(KeyPress)
        case event(Event)

        var key: KeyPress? { if case .key(let key) = self { key } else { nil } }
    }

    private final class Arrivals {
        var waiting: ArraySlice<Arrival>

        init(_ waiting: [Arrival]) { self.waiting = waiting[...] }

        func drainKeys() -> [KeyPress] {
            let keys = waiting.compactMap { $0.key }
            waiting.removeAll { $0.key != nil }
            return keys
        }
    }

    /// Handles events until no event is pending, an event ends the program, or `stepTimeout` has passed. The time limit
    /// is needed because each of several letters that arrive together may search 100,000 flags.
    ///
    /// - Returns: whether an event was handled.
    private func handle(_ arrivals: Arrivals, into state: inout State, _ control: TerminalControl) -> Bool {
        let start = MonotonicTime.milliseconds()
        var hasHandledEvent = false
        while !isFinished(state), control.terminal?.isEndRequested != true,
            MonotonicTime.milliseconds() - start < Self.stepTimeout,
            let arrival = arrivals.waiting.popFirst()
        {
            hasHandledEvent = true
            let event =
                switch arrival {
                case .key(let key): keyEvent(key)
                case .event(let value): value
                }
            for effect in reduce(&state, event) { perform(effect, control) }
        }
        return hasHandledEvent
    }
}
