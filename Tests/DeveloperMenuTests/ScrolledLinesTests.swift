import Testing

@testable import DeveloperMenu

/// Sheets that scroll.
@Suite struct ScrolledLinesTests {
    @Test(
        arguments: [
            (.moveDown, 4, 5), (.moveDown, 6, 6), (.moveUp, 1, 0), (.moveUp, 0, 0), (.pageDown, 0, 3),
            (.pageDown, 4, 6),
            (.pageUp, 5, 2), (.pageUp, 2, 0), (.moveToFirst, 5, 0), (.moveToLast, 0, 6),
        ] as [(Intent, Int, Int)])
    func anIntentScrollsAsFarAsThereAreLines(intent: Intent, top: Int, after: Int) {
        #expect(ScrolledLines(count: 10, room: 4, top: top).top(after: intent) == after)
    }

    @Test func whatDoesNotScrollSaysSo() {
        #expect(ScrolledLines(count: 10, room: 4, top: 0).top(after: .accept) == nil)
    }

    @Test func linesThatHaveBecomeFewerAreInView() {
        let lines = ScrolledLines(count: 5, room: 4, top: 9)
        #expect(lines.range == 1..<5 && lines.hasMoreAbove && !lines.hasMoreBelow)
        let few = ScrolledLines(count: 2, room: 4, top: 9)
        #expect(few.range == 0..<2 && !few.canScroll && few.hiddenBelow == 0)
    }
}
