import CNcurses
public import TerminalUI

/// What effects may do with the terminal, on the loop's own thread.
public struct TerminalControl {
    /// `nil` in line mode, which has no screen.
    let terminal: CursesTerminal?

    /// The control for line mode.
    static var lines: TerminalControl { TerminalControl(terminal: nil) }

    /// Suspends the program as Ctrl-Z does elsewhere; returns when it is continued, and repaints then.
    public func suspend() {
        if let terminal { terminal.suspend(isWholeJob: true) } else { ls_stop() }
    }

    /// Sends the next frame as a whole, whatever is on the screen.
    public func repaint() { terminal?.repaint() }

    /// Copies a text to the clipboard of the machine that displays the terminal, also through ssh (OSC 52).
    ///
    /// - Parameter text: at most 74,994 bytes of UTF-8; see `ClipboardAnswer.tooLong`.
    /// - Returns: the known result. No terminal confirms it.
    public func copy(_ text: String) -> ClipboardAnswer { terminal?.copy(text) ?? .unsupported }

    /// Turns mouse reports on or off, `KeyPress.mouse`. At the start they are off, so that the terminal's own selecting
    /// and pasting work; they are off again when the terminal is restored.
    ///
    /// - Returns: `false` if the terminal has no mouse reports.
    @discardableResult public func setMouse(_ isOn: Bool) -> Bool { terminal?.setMouse(isOn) ?? false }

    /// Restores the terminal while `body` runs, for an editor or a pager, and starts using it again.
    public func runOutside(_ body: () -> Void) {
        if let terminal { terminal.runOutside(body) } else { body() }
    }
}
