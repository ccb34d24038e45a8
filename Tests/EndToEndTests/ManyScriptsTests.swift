import Foundation
import TerminalUI
import TestSupport
import Testing

/// A hundred titles and values with widths that are easy to miscount, in the built menu. tmux measures columns with the
/// C library and its own tables, not with the code under test, so its capture shows which text is in which column.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct ManyScriptsTests {
    private let workplace = Workplace()

    private func opened(columns: Int = 80) throws -> TerminalWindow {
        let texts = ManyScripts.texts.enumerated()
        let values = texts.map { (Self.key($0), "=>.\($1)") }
        let items = texts.map { ["key": Self.key($0), "title": "\($0 + 1) \($1)", "type": "string"] }
        var document: [String: Any] = Dictionary(uniqueKeysWithValues: values)
        document["config_categories"] = [["category": "Scripts", "items": items]]
        let data = try JSONSerialization.data(withJSONObject: document)
        workplace.write(String(decoding: data, as: UTF8.self), to: "flags.json")
        let window = try TerminalWindow(
            workplace, "flagmenu --source flags.json --store store; exec cat", columns: columns, showing: ["100 flags"])
        return window
    }

    private static func key(_ index: Int) -> String { "flag_\(index + 1)" }

    /// The column where a part of a row starts.
    private static func column(_ row: String, of part: String) -> Int? {
        row.range(of: part, options: .backwards).map { DisplayText.width(String(row[..<$0.lowerBound])) }
    }

    /// The number at the start of a title. A combining mark may have joined the space after it.
    private static func number(_ row: String) -> Int {
        let digits = UnicodeScalar("0")...UnicodeScalar("9")
        let rest = row.unicodeScalars.drop { !digits.contains($0) }
        return Int(String(String.UnicodeScalarView(rest.prefix { digits.contains($0) }))) ?? 0
    }

    /// Waits until the window has changed and stays the same.
    private func settle(_ window: TerminalWindow, besides before: String) throws {
        var last = before
        try window.wait("another page") { text in
            defer { last = text }
            return text == last && text != before
        }
    }

    @Test func `the columns of the list line up`() throws {
        // Wide enough for the longest title and the start of its value.
        let window = try opened(columns: 99)
        var place: Int?
        var seen: Set<Int> = []
        for page in 1...8 {
            let shown = window.text
            let rows = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                .dropFirst(1).prefix(21).filter { $0.contains(" =>") }
            #expect(rows.count > 15, "page \(page)")
            for row in rows {
                let column = Self.column(row, of: " =>")
                #expect(column == place ?? column, "\(row)")
                place = column
                seen.insert(Self.number(row))
            }
            if shown.contains("100/100") { break }
            window.press("NPage")
            try settle(window, besides: shown)
        }
        let missing = Set(1...ManyScripts.texts.count).subtracting(seen)
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func `both borders of a sheet line up`() throws {
        let window = try opened()
        window.press("i")
        for number in 1...ManyScripts.texts.count {
            try window.wait("flag \(number)") { $0.contains("┌ \(number)") && $0.contains("flag_\(number) ") }
            let rows = window.rows.drop { !$0.hasPrefix("┌") }
            let end = try #require(rows.firstIndex { $0.hasPrefix("└") })
            for row in rows[...end] {
                #expect(DisplayText.width(row) == 80, "\(row)")
                #expect(row.last.map { "┐│┘↓↑".contains($0) } == true, "\(row)")
                #expect(row.first.map { "┌│└".contains($0) } == true, "\(row)")
            }
            window.press("n")
        }
    }
}
