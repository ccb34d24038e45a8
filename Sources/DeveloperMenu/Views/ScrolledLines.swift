/// Lines of which only a part is in view.
struct ScrolledLines: Sendable, Equatable {
    /// How many there are.
    let count: Int
    /// How many are in view, at least one.
    let room: Int
    /// The first line in view.
    let top: Int

    /// - Parameter top: the requested first line; there may be fewer lines by now.
    init(count: Int, room: Int, top: Int) {
        (self.count, self.room) = (count, max(1, room))
        self.top = max(0, min(top, count - self.room))
    }

    /// Nothing to scroll.
    static let none = ScrolledLines(count: 0, room: 1, top: 0)

    /// - Parameter line: the line to show in the middle, if there are enough lines around it.
    init(count: Int, room: Int, around line: Int) {
        self.init(count: count, room: room, top: line - room / 2)
    }

    /// The lines in view.
    var range: Range<Int> { top..<min(top + room, count) }
    /// `true` if there are more lines than fit.
    var canScroll: Bool { count > room }
    var hasMoreAbove: Bool { top > 0 }
    var hasMoreBelow: Bool { hiddenBelow > 0 }
    /// How many lines are below those in view.
    var hiddenBelow: Int { max(0, count - top - room) }

    /// The first line in view after a movement.
    func top(after movement: Movement) -> Int {
        // One line of a page stays in view.
        movement.index(after: top, of: end + 1, page: max(1, room - 1))
    }

    /// The same lines after a movement.
    func moved(_ movement: Movement) -> ScrolledLines {
        ScrolledLines(count: count, room: room, top: top(after: movement))
    }

    /// The first line in view at the end.
    var end: Int { max(0, count - room) }
}
