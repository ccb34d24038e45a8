import CNcurses
import Platform
import TerminalUI

// Requests and commands that do not concern the screen: the terminal's background, the mouse and the clipboard.
extension CursesTerminal {
    /// The maximum wait for a response before the terminal is restored, in milliseconds.
    private static let replyTimeout = 150

    /// The time after a request during which an escape may be the start of a response, in milliseconds. Nothing waits
    /// for this time: a response is handled when it arrives.
    private static let lateReply = 2_000

    /// Requests the background, which terminal descriptions do not contain. The response arrives among the keys, and
    /// nothing waits for it.
    func queryBackground() {
        if let colors = getenv("COLORFGBG") {
            background = BackgroundColor.background(environment: String(cString: colors)[...])
        }
        guard abilities.isLikeXterm else { return }
        send(TerminalReply.backgroundQuery + TerminalReply.lastQuery)
        queriedAt = MonotonicTime.milliseconds()
        reader.decoder.expectsReplies = true
    }

    /// Handles the responses that have arrived.
    func handleReplies() {
        for reply in reader.decoder.drainReplies() {
            switch reply {
            case .background(let reported): if queriedAt != nil { background = reported }
            case .attributes: queriedAt = nil
            }
        }
        reader.decoder.expectsReplies = queriedAt.map { MonotonicTime.milliseconds() - $0 <= Self.lateReply } ?? false
    }

    /// Waits for outstanding responses. Otherwise the next program that reads the terminal would treat them as keys.
    func awaitReplies() {
        while let queriedAt {
            let timeout = queriedAt + Self.replyTimeout - MonotonicTime.milliseconds()
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard timeout > 0, poll(&input, 1, Int32(timeout)) == 1, input.revents == Int16(POLLIN),
                cn_pending_bytes(STDIN_FILENO) > 0
            else { return }
            typeAhead += reader.drain()
            handleReplies()
        }
    }

    /// Turns mouse reports on or off. They are also turned off when the terminal is restored.
    ///
    /// - Returns: whether the terminal can report mouse events.
    func setMouse(_ isOn: Bool) -> Bool {
        guard abilities.hasMouse else { return false }
        if isOn != reader.decoder.expectsMouse {
            reader.decoder.expectsMouse = isOn
            send(isOn ? MouseReport.on : MouseReport.off)
        }
        return true
    }

    /// Copies a text to the terminal's clipboard.
    func copy(_ text: String) -> ClipboardReply {
        let reply = Clipboard.reply(to: text, abilities)
        if reply == .sent || reply == .sentToTmux { send(Clipboard.sequence(for: text, abilities.multiplexer)) }
        return reply
    }
}
