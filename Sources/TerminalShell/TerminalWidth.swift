import CNcurses

/// The width of the terminal for the output of commands.
package enum TerminalWidth {
    /// The number of columns of the terminal behind a descriptor; `nil` if it is not a terminal or does not report its
    /// size.
    package static func columns(of descriptor: Int32) -> Int? {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard cn_window_size(descriptor, &rows, &columns), columns > 0 else { return nil }
        return Int(columns)
    }
}
