import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The list columns adapt to the content.
@Suite struct ListColumnsTests {
    private static let widths = [80, 100, 120, 200]

    /// 500 keys of 25 to 45 characters without titles, with bools, numbers, texts, URLs and JSON, as in real apps.
    static let longKeys: RemoteSnapshot = {
        var random = SeededGenerator(seed: 18)
        let words = [
            "checkout", "recommendation", "personal", "trainer", "workout", "generation", "enabled", "limit", "ai",
        ]
        let values: [JSONOutput] = [
            .string("true"), .string("false"), .string("25"),
            .string("https://api.example.com/v2/recommendations?limit=25&sort=new"),
            .string(#"{"title":"Summer sale","items":[1,2,3],"isOpen":true,"colour":"orange"}"#), .string("variant_b"),
            .string(""),
        ]
        let members = (0..<500).map { number -> (String, JSONOutput) in
            var key = "key\(number)"
            let length = Int.random(in: 25...45, using: &random)
            while key.count < length { key += "_" + (words.randomElement(using: &random) ?? "") }
            return (String(key.prefix(length - 1)) + "x", values.randomElement(using: &random) ?? .string(""))
        }
        return .snapshot(JSONOutput.object(members).text())
    }()

    @Test(arguments: widths)
    func `a name is not cut while its row has empty cells`(columns: Int) {
        Self.expectWholeNames(Self.longKeys, columns: columns, rows: 40)
    }

    @Test(arguments: widths)
    func `a name of 60 columns is not cut while its row has empty cells`(columns: Int) {
        let members = (0..<40).map {
            ("\(String(repeating: "long_", count: 11 + $0 % 3))\($0)", JSONOutput.string("true"))
        }
        Self.expectWholeNames(.snapshot(JSONOutput.object(members).text()), columns: columns, rows: 24)
    }

    @Test func `a wider terminal never shows less of a name`() {
        for snapshot in [Self.longKeys, .sample] {
            var previousWidth = 0
            for columns in 40...220 {
                var menu = MenuDriver(columns: columns, rows: 24)
                menu.remote = snapshot
                menu.press("fa")
                let list = menu.state.layout.list.columns
                let room = ListColumns(menu.state.needs, width: list).name.count
                let shown = min(room, menu.state.needs.name)
                #expect(shown >= previousWidth, "at \(columns) columns")
                previousWidth = shown
            }
        }
    }

    @Test func `a list of bools gives its width to the names`() {
        let columns = ListColumns(MenuDriver().state.needs, width: 80)
        #expect(columns.note.isEmpty, "no flag is overridden, so the note is empty")
        let needs = MenuDriver(overrides: ["login_variant": "variant_a"]).state.needs
        #expect(needs.note == "remote: control".count)
    }

    @Test(arguments: widths)
    func `screens with long keys match their snapshots`(columns: Int) {
        let picture = SavedText(name: "long-keys-\(columns)x24") {
            var menu = MenuDriver(Self.longKeys, columns: columns, rows: 24)
            menu.press("jj<space>")
            return menu.dump
        }
        let mismatch = picture.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    /// Expects that no name on any page is cut while empty cells follow it.
    static func expectWholeNames(_ snapshot: RemoteSnapshot, columns: Int, rows: Int) {
        var menu = MenuDriver(snapshot, columns: columns, rows: rows)
        var last = ""
        while menu.selectedKey != last {
            last = menu.selectedKey ?? ""
            let (frame, region) = (menu.state.screen.frame, menu.state.layout.list)
            for (line, row) in zip(region.rowRange, menu.state.list.rows.dropFirst(menu.state.list.top)) {
                guard case .flag(let place) = row else { continue }
                let name = menu.state.board.facts(at: place).name
                let text = (region.column..<region.columnRange.upperBound - 1).map { String(frame[line, $0].character) }
                    .joined()
                guard !text.contains(name) else { continue }
                let empty = text.dropFirst(ListColumns.nameStart).contains("   ")
                #expect(!empty, "\(columns) columns: \(text)")
            }
            menu.press("<pgdn>")
        }
    }
}
