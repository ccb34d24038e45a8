import CNcurses
import Platform
import TerminalUI

// Requests and commands to the terminal beside the screen: its background, the mouse, the clipboard.
extension CursesTerminal {
    /// How long to wait for a response before the terminal is restored, in milliseconds.
    private static let answerPatience = 150

    /// How long an escape may be the start of a response. Nothing waits that long: a response is handled whenever it
    /// arrives.
    private static let lateAnswer = 2_000

    /// The terminal's background, if it was reported since the last call.
    func takeBackground() -> TerminalBackground? {
        defer { background = nil }
        return background
    }

    /// Requests what terminal descriptions do not contain. Nothing waits for the responses: they arrive among the keys.
    func ask(forBackground isBackgroundOfUse: Bool) {
        if isBackgroundOfUse, let colors = getenv("COLORFGBG") {
            background = BackgroundColor.background(environment: String(cString: colors)[...])
        }
        guard abilities.isLikeXterm else { return }
        let questions = [
            isBackgroundOfUse ? TerminalReply.backgroundQuestion : [],
            abilities.canBeAskedForModes ? TerminalReply.synchronizedOutputQuestion : [],
        ].flatMap { $0 }
        guard !questions.isEmpty else { return }
        send(questions + TerminalReply.lastQuestion)
        askedAt = MonotonicTime.milliseconds()
        reader.decoder.expectsReplies = true
    }

    func takeAnswers() {
        for reply in reader.decoder.takeReplies() {
            switch reply {
            case .background(let told) where askedAt != nil: background = told
            case .synchronizedOutput(let isKnown) where askedAt != nil: hasSynchronizedOutput = isKnown
            case .attributes: askedAt = nil
            case .background, .synchronizedOutput: break
            }
        }
        if let askedAt, MonotonicTime.milliseconds() - askedAt > Self.lateAnswer {
            reader.decoder.expectsReplies = false
        }
        if askedAt == nil { reader.decoder.expectsReplies = false }
    }

    /// Waits for responses before another program reads the terminal, which would treat them as keys.
    func awaitAnswers() {
        while let askedAt {
            let patience = askedAt + Self.answerPatience - MonotonicTime.milliseconds()
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard patience > 0, poll(&input, 1, Int32(patience)) == 1, input.revents == Int16(POLLIN),
                cn_pending_bytes(STDIN_FILENO) > 0
            else { return }
            heldKeys += reader.drain()
            takeAnswers()
        }
    }

    /// Turns mouse reports on or off. They are also turned off when the terminal is restored.
    ///
    /// - Returns: whether the terminal has a mouse to report.
    func setMouse(_ isOn: Bool) -> Bool {
        guard abilities.hasMouse else { return false }
        if isOn != reader.decoder.expectsMouse {
            reader.decoder.expectsMouse = isOn
            send(isOn ? MouseReport.on : MouseReport.off)
        }
        return true
    }

    /// Copies a text to the terminal's clipboard.
    func copy(_ text: String) -> ClipboardAnswer {
        let answer = Clipboard.answer(to: text, abilities)
        if answer == .sent || answer == .sentToTmux { send(Clipboard.sequence(for: text, abilities.multiplexer)) }
        return answer
    }
}
