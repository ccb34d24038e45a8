import CNcurses
package import TerminalUI

/// The width of the terminal for the output of commands.
package enum TerminalWidth {
    /// The number of columns of the terminal behind a descriptor; `nil` if it is not a terminal or does not report its
    /// size.
    package static func columns(of descriptor: Int32) -> Int? {
        size(of: descriptor).flatMap { $0.columns > 0 ? $0.columns : nil }
    }

    /// The size of the terminal behind a descriptor, 0 where it does not report it; `nil` if it is not a terminal.
    package static func size(of descriptor: Int32) -> Size? {
        var (rows, columns): (Int32, Int32) = (0, 0)
        return cn_window_size(descriptor, &rows, &columns) ? Size(columns: Int(columns), rows: Int(rows)) : nil
    }
}
