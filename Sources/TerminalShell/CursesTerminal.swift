import CNcurses
import Platform
import TerminalUI

/// The terminal while a full-screen program uses it. One at a time, on one thread.
final class CursesTerminal {
    private let signals: WakePipe
    private var painter: Painter
    var reader: KeyReader
    private var emptyReads = 0
    /// The size in cells.
    private(set) var size: Size
    private(set) var isRepaintDue = false
    /// Abilities of the terminal that ncurses does not know.
    let abilities: TerminalAbilities
    var background: TerminalBackground? {
        didSet { if let background { knownBackground = background } }
    }
    /// The reported background, for later programs on the same terminal.
    private(set) var knownBackground: TerminalBackground?
    var hasSynchronizedOutput = false
    /// When the request was sent, in `MonotonicTime`; `nil` after the response, or without a request.
    var askedAt: Int?
    var heldKeys: [KeyPress] = []
    /// Returns and removes the unhandled keys of the running program, for one that replaces it for a while.
    var typedAhead: () -> [KeyPress] = { [] }
    private var isScreenTaken = false
    /// Whether the terminal is in use here, rather than restored.
    private var isHeld = true

    /// Starts using the terminal.
    init(options: TerminalOptions) throws(TerminalError) {
        _ = TerminalLocale.charset
        try Self.checkTerminal()
        let signals = WakePipe()
        let restore = RestoreSequence.bytes()
        let isGuarded = restore.withUnsafeBytes { bytes in
            tg_install(STDOUT_FILENO, signals.writing, bytes.baseAddress, bytes.count)
        }
        guard isGuarded, signals.reading >= 0 else { throw TerminalError(.cannotStart) }
        tg_set_active(true)
        guard cn_start() else {
            tg_set_active(false)
            tg_uninstall()
            throw TerminalError(.cannotStart)
        }
        self.signals = signals
        // All keys are ours, Ctrl-C, Ctrl-Z and Ctrl-S too.
        raw()
        noecho()
        nonl()
        // Otherwise a key stops a half-drawn frame; the loop skips frames by itself.
        typeahead(-1)
        abilities = TerminalAbilities()
        painter = Painter(
            palette: Palette(isColorAllowed: options.isColorAllowed),
            showsTrueColor: options.isColorAllowed && abilities.showsTrueColor)
        reader = KeyReader(descriptor: STDIN_FILENO)
        size = Self.currentSize()
        resize_term(Int32(size.rows), Int32(size.columns))
        send(capability: "BE")
        if options.isAskingAllowed { ask(forBackground: options.isColorAllowed) }
    }

    /// Restores the terminal for good. Signals are still recorded.
    func leave() {
        release()
        send(RestoreSequence.afterOthers())
    }

    /// Restores the terminal for good, without waiting: the process that requests an end may have closed it.
    func abandon() {
        tg_give_back()
        isHeld = false
    }

    /// Restores earlier signal handlers, and raises the signal that requested an end, if any. By default that ends the
    /// process.
    ///
    /// - Returns: that signal, if the process survives it; else 0.
    func returnSignals() -> Int32 {
        cn_finish()
        tg_uninstall()
        let signal = en_take()
        if signal != 0 { raise(signal) }
        return signal
    }

    /// Whether a signal has requested an end.
    var isEndAsked: Bool { en_noted() != 0 }

    /// Whether a frame can be sent without blocking.
    var isWritable: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLOUT) != 0
    }

    /// Shows a screen.
    func present(_ screen: Screen) {
        isRepaintDue = false
        isScreenTaken = true
        // A frame that arrives in one piece is drawn in one piece anyway.
        let isHeldBack = painter.prepare(screen) >= Self.largeFrame && hasSynchronizedOutput
        if isHeldBack { send(Array("\u{1B}[?2026h".utf8)) }
        painter.send()
        if !painter.trueColors.isEmpty { send(painter.trueColors) }
        if isHeldBack { send(Array("\u{1B}[?2026l".utf8)) }
    }

    /// In changed rows; fewer are less than a kilobyte.
    private static let largeFrame = 6

    /// Sends the next frame as a whole.
    func repaint() {
        isRepaintDue = true
        painter.forget()
    }

    /// Stops the job, like Ctrl-Z in other programs; returns when it is continued.
    func suspend(isWholeJob: Bool) {
        release()
        tg_stop(isWholeJob)
        _ = signals.drain()
        if !isEndAsked { resume() }
    }

    /// Leaves the terminal to `body`, for an editor or a pager.
    func runOutside(_ body: () -> Void) {
        release()
        tg_begin_outside()
        body()
        tg_end_outside()
        _ = signals.drain()
        // Before our own modes are turned on again, and also if there are none.
        send(RestoreSequence.afterOthers())
        if !isEndAsked { resume() }
    }

    private func release() {
        guard isHeld else { return }
        isHeld = false
        awaitAnswers()
        if reader.decoder.expectsMouse { send(MouseReport.off) }
        send(capability: "BD")
        if isScreenTaken { endwin() }
        isScreenTaken = false
        tg_restore_modes()
        tg_set_active(false)
    }

    private func resume() {
        isHeld = true
        tg_set_active(true)
        // The first refresh after endwin starts using the terminal again.
        repaint()
        painter.send()
        isScreenTaken = true
        send(capability: "BE")
        if reader.decoder.expectsMouse { send(MouseReport.on) }
        // The size may have changed: the loop must not sleep before it has checked.
        signals.wake()
    }

    private func send(capability: String) {
        guard let sequence = cn_capability(capability) else { return }
        send(RestoreSequence.withoutPadding(Array(String(cString: sequence).utf8)))
    }

    /// Sends sequences that ncurses does not know. Its own output has been flushed before.
    func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let count = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                // Does not wait for a terminal that accepts no output.
                if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR || isEndAsked { return }
            }
        }
    }
}

extension CursesTerminal {
    /// Waits until there is something to do. Without anything due it waits forever, at no cost; while a key sequence is
    /// incomplete, until it times out.
    ///
    /// - Parameters:
    ///   - mailbox: readable if there are messages.
    ///   - isFrameDue: whether to return as soon as the terminal accepts output.
    ///   - milliseconds: the longest wait; `nil` for no limit.
    /// - Returns: the keys that were pressed.
    func wait(mailbox: Int32, isFrameDue: Bool, milliseconds: Int32? = nil) throws(TerminalError) -> [KeyPress] {
        var sources = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
        ]
        // A signal interrupts the wait; its number is in the pipe.
        let limits = [milliseconds, reader.patience, heldKeys.isEmpty ? nil : 0].compactMap { $0 }.filter { $0 >= 0 }
        guard poll(&sources, nfds_t(isFrameDue ? 4 : 3), limits.min() ?? -1) >= 0 else { return [] }
        let input = sources[0].revents
        let gone = Int16(POLLHUP | POLLERR | POLLNVAL)
        if (input | sources[3].revents) & gone != 0 { throw TerminalError(.hungUp) }
        defer { heldKeys = [] }
        return heldKeys + (input & Int16(POLLIN) != 0 ? try readKeys() : reader.giveUpWhenDue())
    }

    /// Handles signals, outside their handlers, and checks the size.
    func takeSignals() {
        let arrived = Set(signals.drain())
        guard !isEndAsked else { return }
        for signal in arrived {
            switch Int32(signal) {
            case SIGTSTP: suspend(isWholeJob: false)
            case SIGCONT: continueAfterStop()
            case WakePipe.plainWake: break
            default: repaint()
            }
        }
        let size = Self.currentSize()
        guard size != self.size else { return }
        self.size = size
        resize_term(Int32(size.rows), Int32(size.columns))
        repaint()
    }

    /// Continued after a stop that cannot be caught (SIGSTOP): the shell had the terminal meanwhile.
    private func continueAfterStop() {
        guard tg_is_foreground() else { return tg_wait_for_foreground() }
        guard !isEndAsked else { return }
        release()
        resume()
    }

    private func readKeys() throws(TerminalError) -> [KeyPress] {
        // Readable without data is the end of input. Another reader of the same terminal may be faster a few times;
        // spinning on a dead terminal is worse.
        emptyReads = cn_pending_bytes(STDIN_FILENO) == 0 ? emptyReads + 1 : 0
        if emptyReads >= 3 { throw TerminalError(.hungUp) }
        defer { takeAnswers() }
        return reader.drain()
    }

    static func checkTerminal() throws(TerminalError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw TerminalError(.notATerminal) }
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        guard !name.isEmpty else { throw TerminalError(.unknownTerminal("")) }
        guard name != "dumb" else { throw TerminalError(.dumbTerminal(name)) }
        guard cn_load_description(name, STDOUT_FILENO) else { throw TerminalError(.unknownTerminal(name)) }
        guard cn_capability("cup") != nil, cn_capability("clear") != nil else {
            throw TerminalError(.dumbTerminal(name))
        }
    }

    /// 80 x 24 if the terminal reports no size. Bounded, so that a frame never exhausts the memory.
    private static func currentSize() -> Size {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard cn_window_size(STDOUT_FILENO, &rows, &columns), rows > 0, columns > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(Int(columns), 1_000), rows: min(Int(rows), 500))
    }
}
