/// The part of a number of lines that is in view.
struct ScrolledLines: Sendable, Equatable {
    /// The total number of lines.
    let count: Int
    /// The maximum number of lines in view; at least 1.
    let room: Int
    /// The index of the first line in view.
    let top: Int

    /// - Parameter top: the requested first line; if it is too large, the last lines are in view.
    init(count: Int, room: Int, top: Int) {
        (self.count, self.room) = (count, max(1, room))
        self.top = max(0, min(top, count - self.room))
    }

    static let none = ScrolledLines(count: 0, room: 1, top: 0)

    /// - Parameter line: the line to show in the middle, if there are enough lines around it.
    init(count: Int, room: Int, around line: Int) {
        self.init(count: count, room: room, top: line - room / 2)
    }

    /// The indices of the lines in view.
    var range: Range<Int> { top..<min(top + room, count) }
    /// Whether there are more lines than fit.
    var canScroll: Bool { count > room }
    /// The number of lines below the view.
    var hiddenBelow: Int { max(0, count - top - room) }

    /// The same lines after a movement.
    func moved(_ movement: Movement) -> ScrolledLines {
        // A page overlaps the previous page by one line.
        let top = movement.index(after: top, of: max(0, count - room) + 1, page: max(1, room - 1))
        return ScrolledLines(count: count, room: room, top: top)
    }
}
