public import TerminalUI

/// A full-screen program: a state, how events change it, how it looks, and how its effects are performed.
///
/// Events come from keys, from the terminal's size and from the mailbox. The program ends when `isFinished` says so.
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

    /// How long the first frame is kept back, in milliseconds: too short to be seen.
    private static var firstFramePatience: Int { 20 }

    /// For how long events keep a frame waiting, in milliseconds: the last of them may add what it takes by itself.
    private static var stepPatience: Int { 20 }

    /// A program.
    ///
    /// - Parameters:
    ///   - state: where it starts.
    ///   - reduce: changes the state for an event, and answers with the effects to perform.
    ///   - view: what a state looks like.
    ///   - keyEvent: the event for a key.
    ///   - resizeEvent: the event for a size; the first event of each run.
    ///   - backgroundEvent: the event for what the terminal's background turns out to be; it comes when the terminal has
    ///     told, if it does, and possibly twice, as the environment may say something else at first.
    ///   - perform: performs an effect, on the loop's thread; what takes time belongs elsewhere and answers by mailbox.
    ///   - isFinished: whether the program is over.
    ///   - isReady: whether there is something to show. The first frame waits for that, but not for longer than anybody
    ///     notices: drawing a frame that is replaced at once would only keep the other one waiting.
    public init(
        state: State,
        reduce: @escaping (inout State, Event) -> [Effect],
        view: @escaping (State) -> Screen,
        keyEvent: @escaping (KeyPress) -> Event,
        resizeEvent: @escaping (Size) -> Event,
        backgroundEvent: @escaping (TerminalBackground) -> Event? = { _ in nil },
        perform: @escaping (Effect, TerminalControl) -> Void,
        isFinished: @escaping (State) -> Bool,
        isReady: @escaping (State) -> Bool = { _ in true }
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
    }

    /// Runs the program on standard input and output until it is finished, and gives the terminal back.
    ///
    /// - Throws: a sentence when the terminal cannot be used, or `hungUp` when it goes away.
    /// - Returns: the last state.
    public func run(
        mailbox: Mailbox<Event>, options: TerminalOptions = TerminalOptions()
    ) throws(TerminalError) -> State {
        guard mailbox.descriptor >= 0 else { throw TerminalError(.cannotStart) }
        let terminal = try CursesTerminal(options: options)
        defer { terminal.leave() }
        let control = TerminalControl(terminal: terminal)
        var state = state
        var events = [resizeEvent(terminal.size)]
        if let event = terminal.takeBackground().flatMap(backgroundEvent) { events.append(event) }
        var isFrameDue = true
        // `nil` once there is no more to wait for.
        var firstFrameDue: Int? = MonotonicTime.milliseconds() + Self.firstFramePatience
        while true {
            if takeIn(&events, into: &state, control) { isFrameDue = true }
            if isFinished(state) { return state }
            isFrameDue = isFrameDue || terminal.isRepaintDue
            // While the terminal takes no output, events go on changing the state, and only the last one is drawn.
            let patience = firstFrameDue.map { $0 - MonotonicTime.milliseconds() } ?? 0
            if patience <= 0 || isReady(state) { firstFrameDue = nil }
            if isFrameDue, firstFrameDue == nil, terminal.isWritable {
                terminal.present(view(state))
                isFrameDue = false
            }
            let keys = try terminal.wait(
                mailbox: mailbox.descriptor, isFrameDue: isFrameDue && firstFrameDue == nil,
                milliseconds: !events.isEmpty ? 0 : firstFrameDue == nil ? nil : Int32(patience))
            events += keys.map(keyEvent) + mailbox.drain()
            if let event = terminal.takeBackground().flatMap(backgroundEvent) { events.append(event) }
            if let size = terminal.takeResize() { events.append(resizeEvent(size)) }
        }
    }

    /// Takes in events until there are none, until one of them ends the program, or until the screen has waited long
    /// enough to be drawn in between: letters that arrive at once may each have to look through 100,000 flags.
    ///
    /// - Returns: whether there were any.
    private func takeIn(_ events: inout [Event], into state: inout State, _ control: TerminalControl) -> Bool {
        let start = MonotonicTime.milliseconds()
        var count = 0
        while count < events.count, !isFinished(state), MonotonicTime.milliseconds() - start < Self.stepPatience {
            for effect in reduce(&state, events[count]) { perform(effect, control) }
            count += 1
        }
        events.removeFirst(count)
        return count > 0
    }
}
