import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Wrapped values and notes, and folded JSON.
@Suite struct WrappedTextTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `wrapping loses no text`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let parts = ["a", "  ", "word ", "日本", "👩‍👩‍👧", "\n", "é", "longerword", "\u{202E}"]
        let value = (0..<30).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
        for columns in [2, 7, 20, 80] {
            let pieces = WrappedText(columns: columns, charset: .unicode).pieces(of: value)
            #expect(pieces.joined() == DisplayText.safe(value))
            #expect(pieces.allSatisfy { DisplayText.width($0) <= columns })
        }
    }

    @Test func `cut text ends with an ellipsis`() {
        let text = WrappedText(columns: 10, charset: .unicode)
        #expect(text.pieces(of: "0123456789012345678901234", atMost: 2) == ["0123456789", "01234567…"])
        #expect(text.lines(of: "one two three four", atMost: 1) == [StyledLine("one two…")])
        #expect(text.pieces(of: "") == ["\"\""])
    }

    @Test(
        arguments: [
            (#"{"a":1,"b":{}}"#, "{…} 2 members"), ("[1]", "[…] 1 element"), ("{}", "{…} 0 members"), ("\"text\"", nil),
            ("{", nil),
        ] as [(String, String?)])
    func `json is summarized`(text: String, summary: String?) {
        #expect(FoldedJSON(text)?.summary(.unicode) == summary)
    }

    // MARK: in the menu

    private static let long = RemoteSnapshot.snapshot(
        #"""
        {"screen": {"label": {"text": "Welcome to the shop around the corner"}, "buttons": ["Log in", "Register"],
                    "colour": "#ff0000"},
         "motto": "a motto that is quite a bit longer than the pane beside the list has columns to show it in",
         "config_categories": [{"category": "C", "items": [
           {"key": "screen", "title": "Login screen", "type": "json"},
           {"key": "motto", "description": "What stands below the name of the shop on every page that it has.",
            "value": "short|a motto that is quite a bit longer than the pane beside the list has columns to show it in"}
         ]}]}
        """#)

    @Test func `explanation folds and unfolds JSON`() {
        var menu = MenuDriver(Self.long, pressing: "i")
        #expect(menu.lines.contains { $0.contains("remote") && $0.contains("{…} 3 members") })
        #expect(menu.lines.count { $0.contains("Login screen") } == 2, "the title is in the sheet and in the list")
        #expect(menu.press("<tab>").lines.contains { $0.contains("\"colour\": \"#ff0000\"") })
        #expect(!menu.press("<tab>").lines.contains { $0.contains("\"colour\": ") })
    }

    @Test func `scrolling is offered only if lines are hidden`() {
        var menu = MenuDriver(Self.long, pressing: "i")
        #expect(menu.lines.last?.contains("scroll") == false)
        #expect(menu.press("j").message == "All of it is in view.")
        var small = MenuDriver(Self.long, columns: 40, rows: 10, pressing: "ji")
        #expect(small.lines.last?.contains("scroll") == true)
        var seen = small.lines
        for _ in 0..<20 {
            small.press("j")
            seen += small.lines
        }
        let words = Self.long.values["motto"]?.string.split(separator: " ") ?? []
        #expect(words.count > 15)
        #expect(words.allSatisfy { word in seen.contains { $0.contains(word) } })
    }

    @Test(arguments: [(80, 24), (40, 10), (120, 40)])
    func `selected option is shown whole`(columns: Int, rows: Int) {
        let menu = MenuDriver(Self.long, columns: columns, rows: rows, pressing: "j<enter>j")
        let words = Self.long.values["motto"]?.string.split(separator: " ") ?? []
        let shown = menu.text
        #expect(words.allSatisfy { shown.contains($0) }, "\(shown)")
        #expect(menu.lines.contains { $0.contains("now, remote") })
        #expect(menu.textAtCursor?.contains("2") == true)
    }

    /// Text beside a sheet would be cut inside words, so there is none.
    @Test func `no text is shown beside a sheet`() {
        let menu = MenuDriver(columns: 120, rows: 40, pressing: "<enter>")
        let rows = menu.lines.filter { $0.contains("┌ Multiple locations") || $0.contains("✓ ") }
        #expect(rows.count == 2)
        #expect(rows.allSatisfy { $0.hasPrefix(String(repeating: " ", count: 20)) })
    }
}
