import CNcurses

/// What effects may do to the terminal, on the loop's own thread.
public struct TerminalControl {
    let terminal: CursesTerminal

    /// Stops the program as Ctrl-Z does elsewhere; returns when it is continued, with a full repaint to come.
    public func suspend() { terminal.suspend(isWholeJob: true) }

    /// Sends the next frame whole, whatever is on the screen.
    public func repaint() { terminal.repaint() }

    /// Rings the terminal's bell.
    public func ring() { beep() }

    /// Gives the terminal back while `body` runs, for an editor or a pager, and takes it again.
    public func runOutside(_ body: () -> Void) { terminal.runOutside(body) }
}
