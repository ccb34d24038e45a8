import CNcurses
public import TerminalUI

/// What effects may do to the terminal, on the loop's own thread.
public struct TerminalControl {
    /// `nil` where the program talks in lines, so that there is no screen.
    let terminal: CursesTerminal?

    /// The control of a program that talks in lines.
    static var lines: TerminalControl { TerminalControl(terminal: nil) }

    /// Stops the program as Ctrl-Z does elsewhere; returns when it is continued, with a full repaint to come.
    public func suspend() {
        if let terminal { terminal.suspend(isWholeJob: true) } else { ls_stop() }
    }

    /// Sends the next frame whole, whatever is on the screen.
    public func repaint() { terminal?.repaint() }

    /// Hands a text to the clipboard of the machine that the terminal is shown on, also through ssh (OSC 52).
    ///
    /// - Parameter text: at most 74,994 bytes of UTF-8; see `ClipboardAnswer.tooLong`.
    /// - Returns: what is known of it. No terminal tells whether it took the text.
    public func copy(_ text: String) -> ClipboardAnswer { terminal?.copy(text) ?? .unsupported }

    /// Switches reports of the mouse on or off, `KeyPress.mouse`. At the start they are off, so that the terminal's own
    /// selecting and pasting work; whoever gets the terminal back gets it with the mouse off.
    ///
    /// - Returns: `false` where the terminal has no mouse that programs know of.
    @discardableResult public func setMouse(_ isOn: Bool) -> Bool { terminal?.setMouse(isOn) ?? false }

    /// Gives the terminal back while `body` runs, for an editor or a pager, and takes it again.
    public func runOutside(_ body: () -> Void) {
        if let terminal { terminal.runOutside(body) } else { body() }
    }
}
