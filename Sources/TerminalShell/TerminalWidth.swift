import CNcurses

/// How wide a terminal is that lines are written to.
package enum TerminalWidth {
    /// The columns of the terminal behind a descriptor; `nil` where there is none, or it does not say.
    package static func columns(of descriptor: Int32) -> Int? {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard cn_window_size(descriptor, &rows, &columns), columns > 0 else { return nil }
        return Int(columns)
    }
}
