import Testing

@testable import DeveloperMenu

/// Scrolling in sheets.
@Suite struct ScrolledLinesTests {
    @Test(
        arguments: [
            (.down, 4, 5), (.down, 6, 6), (.up, 1, 0), (.up, 0, 0), (.pageDown, 0, 3), (.pageDown, 4, 6),
            (.pageUp, 5, 2), (.pageUp, 2, 0), (.first, 5, 0), (.last, 0, 6),
        ] as [(Movement, Int, Int)])
    func `movement stops at the first and last line`(movement: Movement, top: Int, after: Int) {
        #expect(ScrolledLines(count: 10, room: 4, top: top).moved(movement).top == after)
    }

    @Test func `removed lines move the range into view`() {
        let lines = ScrolledLines(count: 5, room: 4, top: 9)
        #expect(lines.range == 1..<5 && lines.top > 0 && lines.hiddenBelow == 0)
        let few = ScrolledLines(count: 2, room: 4, top: 9)
        #expect(few.range == 0..<2 && !few.canScroll && few.hiddenBelow == 0)
    }
}
