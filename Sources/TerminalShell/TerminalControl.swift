import CNcurses
public import TerminalUI

/// The operations on the terminal for effects, on the loop's thread.
public struct TerminalControl {
    /// `nil` in line mode, which has no screen.
    let terminal: CursesTerminal?

    /// The control for line mode.
    static var lines: TerminalControl { TerminalControl(terminal: nil) }

    /// Suspends the program as Ctrl-Z does in other programs; when it is continued, repaints and returns.
    public func suspend() {
        if let terminal { terminal.suspend(isWholeJob: true) } else { ls_stop() }
    }

    /// Sends the next frame as a whole, not only changed cells.
    public func repaint() { terminal?.repaint() }

    /// Copies a text to the clipboard of the machine that displays the terminal, also through ssh (OSC 52).
    ///
    /// - Parameter text: at most 74,994 bytes of UTF-8; see `ClipboardReply.tooLong`.
    /// - Returns: the result as far as it is known; no terminal confirms it.
    public func copy(_ text: String) -> ClipboardReply { terminal?.copy(text) ?? .unsupported }

    /// Turns mouse reports (`KeyPress.mouse`) on or off. They are off at the start, so that selecting and pasting with
    /// the mouse work, and turned off when the terminal is restored.
    ///
    /// - Returns: `false` if the terminal has no mouse reports.
    @discardableResult public func setMouse(_ isOn: Bool) -> Bool { terminal?.setMouse(isOn) ?? false }

    /// Restores the terminal while `body` runs, for an editor or a pager, and starts using it again.
    public func runOutside(_ body: () -> Void) {
        if let terminal { terminal.runOutside(body) } else { body() }
    }
}
