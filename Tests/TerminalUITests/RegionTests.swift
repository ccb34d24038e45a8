import TerminalUI
import Testing

@Suite struct RegionTests {
    private let screen = Region(Size(columns: 80, rows: 24))

    @Test func `regions divide a screen`() {
        #expect(screen.top(1) == Region(row: 0, column: 0, rows: 1, columns: 80))
        #expect(screen.droppingTop(1).top(21) == Region(row: 1, column: 0, rows: 21, columns: 80))
        #expect(screen.inset(rows: 1, columns: 2) == Region(row: 1, column: 2, rows: 22, columns: 76))
    }

    @Test func `region is clipped to empty`() {
        #expect(screen.top(99).rows == 24)
        #expect(screen.droppingTop(99).rows == 0)
        #expect(screen.inset(rows: 20).rows == 0)
        #expect(!screen.contains(Position(row: 24, column: 0)))
        #expect(screen.contains(Position(row: 23, column: 79)))
    }
}
