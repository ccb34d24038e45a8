import CNcurses
public import TerminalUI

/// The operations on the terminal that effects can use, on the loop's thread.
public struct TerminalControl {
    /// The terminal; `nil` in line mode, which has no screen.
    let terminal: CursesTerminal?

    /// The control for line mode.
    static var lines: TerminalControl { TerminalControl(terminal: nil) }

    /// Suspends the program as Ctrl-Z does in other programs. When the program is continued, repaints and returns.
    public func suspend() {
        if let terminal { terminal.suspend(isWholeJob: true) } else { ls_stop() }
    }

    /// Sends all cells of the next frame, not only changed cells.
    public func repaint() { terminal?.repaint() }

    /// Copies a text to the clipboard of the machine that displays the terminal. Works through ssh (OSC 52).
    ///
    /// - Parameter text: at most 74,994 bytes of UTF-8; see `ClipboardReply.tooLong`.
    /// - Returns: the result as far as it is known, because no terminal confirms that it copied the text.
    public func copy(_ text: String) -> ClipboardReply { terminal?.copy(text) ?? .unsupported }

    /// Turns mouse reports (`KeyPress.mouse`) on or off. Mouse reports are off at the start, so that the user can
    /// select and paste with the mouse, and they are turned off when the terminal is restored.
    ///
    /// - Returns: whether the terminal has mouse reports.
    @discardableResult public func setMouse(_ isOn: Bool) -> Bool { terminal?.setMouse(isOn) ?? false }

    /// Restores the terminal while `body` runs an editor or a pager, and then uses the terminal again.
    public func runOutside(_ body: () -> Void) {
        if let terminal { terminal.runOutside(body) } else { body() }
    }
}
