import Foundation
import TestSupport
import Testing

/// Changes made elsewhere appear immediately and do not disturb the user.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct LiveUpdateTests {
    private let workplace = Workplace()

    @Test func `two menus on one store show each other's changes immediately`() throws {
        let windows = [try TerminalWindow(workplace), try TerminalWindow(workplace)]
        for window in windows {
            try window.wait(for: "○  Multiple locations  false")
            try window.press("/", "m", "u", "l", "t", "i", "Enter", showing: "/ multi")
        }
        var times: [Double] = []
        for round in 0..<10 {
            let (from, to) = (windows[round % 2], windows[(round + 1) % 2])
            let expected = "Multiple locations  \(round % 2 == 0 ? "true " : "false")"
            let start = Clock.seconds()
            from.press("Space")
            try to.wait(for: expected)
            // The time includes two runs of tmux: the key press and reading the other window.
            times.append(Clock.seconds() - start)
            try from.wait(for: expected)
        }
        let median = times.sorted()[times.count / 2]
        #expect(median <= Clock.medianLimit(0.1), "\(times)")
    }

    @Test func `a command's change moves the check mark in an open option list but not the cursor`() throws {
        let window = try TerminalWindow(workplace, showing: ["Login variant"])
        try window.press("/", "v", "a", "r", "i", "Enter", "Enter", showing: "✓ 1  A")
        window.press("j")
        let cursor = "cursor_y"
        let option = try row(of: "2  B", in: window)
        #expect(Clock.wait { window.value(cursor) == "\(option)" })
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        try window.wait(for: "✓ 2  B", "  1  A")
        #expect(try window.value(cursor) == "\(row(of: "2  B", in: window))")
        #expect(workplace.flagmenu("set maximum_item_count 100").status == 0)
        #expect(workplace.flagmenu("reset login_variant").status == 0)
        try window.wait(for: "✓ 1  A")
        #expect(try window.value(cursor) == "\(row(of: "2  B", in: window))")
        try window.press("Enter", showing: "▌   Login variant         B  ")
        // The row shows a choice before it is saved.
        #expect(Clock.wait { workplace.flagmenu("get login_variant").text == "B\n" })
        #expect(window.text.contains("/ vari"), "the filter stays")
    }

    private func row(of text: String, in window: TerminalWindow) throws -> Int {
        try #require(window.rows.firstIndex { $0.contains(text) })
    }

    @Test func `a change made elsewhere does not move the filter cursor or the selection`() throws {
        let window = try TerminalWindow(workplace, showing: ["Login variant"])
        try window.press("/", "l", "o", "g", showing: "/ log")
        let before = (window.value("cursor_x"), window.value("cursor_y"))
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        try window.wait(for: "▌   Login variant")
        #expect((window.value("cursor_x"), window.value("cursor_y")) == before)
        try window.press("i", showing: "/ logi")
    }
}
