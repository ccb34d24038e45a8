import CNcurses
import Platform
import TerminalUI

/// The terminal while a full-screen program uses it. Only one instance can exist at a time, and only one thread may use
/// it.
final class CursesTerminal {
    private let signals: SignalPipe
    private var painter: Painter
    var reader: KeyReader
    private var emptyReads = 0
    /// The size in cells.
    private(set) var size: Size
    private(set) var isRepaintDue = false
    let abilities: TerminalAbilities
    /// The most recently reported background.
    var background: TerminalBackground?
    /// When requests were sent, in `MonotonicTime`; `nil` if no response is outstanding.
    var queriedAt: Int?
    /// Keys that arrived before they could be handled. `wait` returns these keys first.
    var typeAhead: [KeyPress] = []
    /// Removes and returns the keys that the running program has not handled, for a program that temporarily replaces
    /// it.
    var drainUnhandledKeys: () -> [KeyPress] = { [] }
    /// Whether ncurses has switched to its own screen.
    private var isScreenInUse = false
    /// Whether this program is using the terminal; `false` while the terminal is restored.
    private var isInUse = true

    /// Starts using the terminal.
    init(options: TerminalOptions) throws(TerminalError) {
        // ncurses reads the locale when it starts.
        _ = TerminalLocale.charset
        try Self.checkTerminal()
        let signals = SignalPipe()
        let restore = RestoreSequence.bytes()
        let isGuarded = restore.withUnsafeBytes { bytes in
            tg_install(STDOUT_FILENO, signals.writing, bytes.baseAddress, bytes.count)
        }
        guard isGuarded, signals.reading >= 0 else { throw .cannotStart }
        tg_set_active(true)
        guard cn_start() else {
            tg_set_active(false)
            tg_uninstall()
            throw .cannotStart
        }
        self.signals = signals
        // Receive all keys, including Ctrl-C, Ctrl-Z and Ctrl-S.
        raw()
        noecho()
        nonl()
        // Without this, ncurses stops in the middle of a frame if a key is pressed. The main loop skips frames by
        // itself.
        typeahead(-1)
        abilities = TerminalAbilities()
        painter = Painter(
            palette: Palette(isColorAllowed: options.isColorAllowed),
            showsTrueColor: options.isColorAllowed && abilities.showsTrueColor)
        reader = KeyReader(descriptor: STDIN_FILENO)
        size = Self.currentSize()
        resize_term(Int32(size.rows), Int32(size.columns))
        send(capability: "BE")
        if options.areQueriesAllowed, options.isColorAllowed { queryBackground() }
    }

    /// Restores the terminal at the end. Signal handlers stay installed.
    func leave() {
        release()
        send(RestoreSequence.afterOthers())
    }

    /// Restores the terminal at the end, without waiting for output: the terminal may be closed.
    func abandon() {
        tg_give_back()
        isInUse = false
    }

    /// Restores the previous signal handlers, and raises the signal that requested an end, if any. By default this
    /// signal ends the process.
    ///
    /// - Returns: the raised signal if the process survives it, otherwise 0.
    func restoreSignals() -> Int32 {
        cn_finish()
        tg_uninstall()
        let signal = en_take()
        if signal != 0 { raise(signal) }
        return signal
    }

    /// Whether a signal has requested the end of the process.
    var isEndRequested: Bool { en_noted() != 0 }

    /// Whether a frame can be sent without blocking.
    var isWritable: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLOUT) != 0
    }

    func present(_ screen: Screen) {
        isRepaintDue = false
        isScreenInUse = true
        // A frame of a few changed rows needs no synchronized output: it arrives, and is drawn, in one piece.
        let isSynchronized = painter.prepare(screen) > 5 && abilities.canSynchronize
        if isSynchronized { send(Array("\u{1B}[?2026h".utf8)) }
        painter.send()
        send(painter.trueColors)
        if isSynchronized { send(Array("\u{1B}[?2026l".utf8)) }
    }

    /// Sends all cells of the next frame, not only changed cells.
    func repaint() {
        isRepaintDue = true
        painter.forget()
    }

    /// Suspends the job like Ctrl-Z in other programs, and returns when the job is continued.
    func suspend(isWholeJob: Bool) {
        release()
        tg_stop(isWholeJob)
        _ = signals.drain()
        if !isEndRequested { resume() }
    }

    /// Restores the terminal while `body` runs an editor or a pager.
    func runOutside(_ body: () -> Void) {
        release()
        tg_begin_outside()
        body()
        tg_end_outside()
        _ = signals.drain()
        // Sent before `resume` turns this program's modes on again, and also if an end is requested.
        send(RestoreSequence.afterOthers())
        if !isEndRequested { resume() }
    }

    /// Restores the terminal for other programs.
    private func release() {
        guard isInUse else { return }
        isInUse = false
        awaitReplies()
        if reader.decoder.expectsMouse { send(MouseReport.off) }
        send(capability: "BD")
        if isScreenInUse { endwin() }
        isScreenInUse = false
        tg_restore_modes()
        tg_set_active(false)
    }

    /// Uses the terminal again after `release`.
    private func resume() {
        isInUse = true
        tg_set_active(true)
        // The first refresh after endwin switches to the screen of ncurses again.
        repaint()
        painter.send()
        isScreenInUse = true
        send(capability: "BE")
        if reader.decoder.expectsMouse { send(MouseReport.on) }
        // The size may have changed, so the loop must check it before it waits.
        signals.wake()
    }

    private func send(capability: String) { send(RestoreSequence.capability(capability) ?? []) }

    /// Sends sequences that ncurses does not know. The caller must flush the output of ncurses first.
    func send(_ bytes: [UInt8]) {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let count = remaining.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            // Gives up if the terminal does not accept output.
            if count > 0 {
                remaining = remaining.dropFirst(count)
            } else if errno != EINTR || isEndRequested {
                return
            }
        }
    }

    /// Waits for input, messages and signals. If a frame is due, also waits until output is possible. An incomplete key
    /// sequence limits the wait to its timeout.
    ///
    /// - Parameters:
    ///   - mailbox: a descriptor that is readable while there are messages.
    ///   - isFrameDue: whether to return as soon as the terminal accepts output.
    ///   - milliseconds: the maximum wait; `nil` for no limit.
    /// - Returns: the keys that were pressed.
    func wait(mailbox: Int32, isFrameDue: Bool, milliseconds: Int32? = nil) throws(TerminalError) -> [KeyPress] {
        var sources = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: mailbox, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0),
        ]
        // A signal interrupts the wait. Its handler has written its number to the pipe.
        let limits = [milliseconds, reader.timeout, typeAhead.isEmpty ? nil : 0].compactMap { $0 }.filter { $0 >= 0 }
        guard poll(&sources, nfds_t(isFrameDue ? 4 : 3), limits.min() ?? -1) >= 0 else { return [] }
        let input = sources[0].revents
        let closedEvents = Int16(POLLHUP | POLLERR | POLLNVAL)
        if (input | sources[3].revents) & closedEvents != 0 { throw .hungUp }
        defer { typeAhead = [] }
        return typeAhead + (input & Int16(POLLIN) != 0 ? try readKeys() : reader.giveUpWhenDue())
    }

    /// Handles the signals that the signal handlers have recorded, and a changed size.
    func handleSignals() {
        let signalNumbers = Set(signals.drain())
        guard !isEndRequested else { return }
        for signal in signalNumbers {
            switch Int32(signal) {
            case SIGTSTP: suspend(isWholeJob: false)
            case SIGCONT: continueAfterStop()
            case SignalPipe.plainWake: break
            default: repaint()
            }
        }
        let size = Self.currentSize()
        guard size != self.size else { return }
        self.size = size
        resize_term(Int32(size.rows), Int32(size.columns))
        repaint()
    }

    /// Uses the terminal again after a stop by SIGSTOP, which cannot be caught. The shell used the terminal during the
    /// stop.
    private func continueAfterStop() {
        guard tg_is_foreground() else { return tg_wait_for_foreground() }
        guard !isEndRequested else { return }
        release()
        resume()
    }

    private func readKeys() throws(TerminalError) -> [KeyPress] {
        // A readable descriptor without data means the end of input, unless another process has read the data first.
        // This may happen a few times in a row.
        emptyReads = cn_pending_bytes(STDIN_FILENO) == 0 ? emptyReads + 1 : 0
        if emptyReads >= 3 { throw .hungUp }
        defer { handleReplies() }
        return reader.drain()
    }

    /// Loads the terminal description. Throws if a full-screen program cannot run on standard input and output.
    static func checkTerminal() throws(TerminalError) {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .notATerminal }
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        guard !name.isEmpty else { throw .unknownTerminal("") }
        guard name != "dumb" else { throw .dumbTerminal(name) }
        guard cn_load_description(name, STDOUT_FILENO) else { throw .unknownTerminal(name) }
        guard cn_capability("cup") != nil, cn_capability("clear") != nil else {
            throw .dumbTerminal(name)
        }
    }

    /// The terminal's size, limited so that a frame cannot exhaust the memory; 80 x 24 if the terminal does not report
    /// a size.
    private static func currentSize() -> Size {
        guard let size = TerminalWidth.size(of: STDOUT_FILENO), size.rows > 0, size.columns > 0 else {
            return Size(columns: 80, rows: 24)
        }
        return Size(columns: min(size.columns, 1_000), rows: min(size.rows, 500))
    }
}
