import FlagModel
import FlagQueries
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The list columns adapt to the content.
@Suite(.slow) struct ListColumnsTests {
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
        Self.expectWholeValues(Self.longKeys, columns: columns, rows: 40)
    }

    private static let sizes = widths.map { Size(columns: $0, rows: 24) } + [Layout.smallest]

    @Test(.enabled(if: Fixtures.exists("firebase"), "../shared/fixtures is not here"), arguments: sizes)
    func `no cell of a real document is cut while cells behind it are empty`(size: Size) throws {
        let paths = ["firebase", "config_categories"].flatMap { folder in
            Fixtures.names(in: folder).filter { $0.hasSuffix(".json") }.map { "\(folder)/\($0)" }
        }
        #expect(paths.count >= 4)
        for path in paths {
            let snapshot = RemoteSnapshot.snapshot(String(decoding: try Fixtures.bytes(path), as: UTF8.self))
            Self.expectWholeNames(snapshot, columns: size.columns, rows: size.rows)
            Self.expectWholeValues(snapshot, columns: size.columns, rows: size.rows)
        }
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
                let menu = MenuDriver(snapshot, columns: columns, rows: 24)
                let needs = menu.state.needs
                let row = ListColumns(needs, width: menu.state.layout.list.columns)
                    .row(name: needs.name, value: 5, note: 0, leastValue: 5)
                let shown = min(row.name.count, needs.name)
                #expect(shown >= previousWidth, "at \(columns) columns")
                previousWidth = shown
            }
        }
    }

    @Test func `values begin behind the longest name, and notes behind the longest value`() {
        let needs = MenuDriver().state.needs
        let columns = ListColumns(needs, width: 80)
        #expect(columns.value == ListColumns.nameStart + needs.name + ListColumns.gap)
        #expect(columns.note == columns.value + needs.value + ListColumns.gap)
        let long = ListColumns(MenuDriver(Self.longKeys).state.needs, width: 80)
        #expect(long.note - long.value == 80 / 3 + ListColumns.gap, "values get at most a third")
        #expect(MenuDriver(overrides: ["login_variant": "variant_a"]).state.needs == needs)
    }

    /// The column of every value and note in view, by the key of its flag.
    private static func columns(_ menu: MenuDriver) -> [String: Int] {
        let region = menu.state.layout.list
        var starts: [String: Int] = [:]
        for (line, row) in zip(region.rowRange, menu.state.list.rows.dropFirst(menu.state.list.top)) {
            guard case .flag(let place) = row else { continue }
            let facts = menu.state.board.facts(at: place)
            let text = menu.state.screen.frame.text(ofRow: line)
            // The value begins behind the name and at least two spaces.
            guard let name = text.firstRange(of: facts.name) else { continue }
            let rest = text[name.upperBound...]
            guard rest.hasPrefix("  "), let value = rest.firstIndex(where: { $0 != " " }) else { continue }
            starts[facts.key] = text.distance(from: text.startIndex, to: value)
        }
        return starts
    }

    @Test(arguments: widths)
    func `no column moves while values change`(columns: Int) throws {
        var random = SeededGenerator(seed: 41)
        var menu = MenuDriver(Self.longKeys, columns: columns, rows: 40)
        let before = Self.columns(menu)
        #expect(before.count > 30)
        for _ in 0..<50 {
            let key = try #require(menu.listedKeys.prefix(36).randomElement(using: &random))
            let value = ["true", "false", "25", "a value that is longer", ""].randomElement(using: &random) ?? ""
            var table = menu.store.table
            table.overrides[key] = FlagOverride(value: value, setAt: MenuDriver.now, setBy: "ben")
            table.revision += 1
            menu.store.adopt(table)
            menu.happens(.store(.read(table, error: nil)))
            let after = Self.columns(menu)
            for (key, column) in after where before[key] != nil {
                #expect(column == before[key], "\(key) at \(columns) columns")
            }
        }
    }

    /// Expects that no value on any page is cut while empty cells follow it.
    private static func expectWholeValues(_ snapshot: RemoteSnapshot, columns: Int, rows: Int) {
        forEachFlag(of: snapshot, columns: columns, rows: rows) { facts, text in
            guard let name = text.firstRange(of: facts.name) else { return }
            let rest = text[name.upperBound...].drop { $0 == " " }
            let value = FlagWords(facts: facts, charset: .unicode).value
            // With little room, JSON is shown as its brackets.
            guard !rest.hasPrefix(value), !rest.hasPrefix("{…}") else { return }
            #expect(!rest.contains("   ") && !rest.hasSuffix("  "), "\(columns) columns: \(text)")
        }
    }

    /// Expects that no name on any page is cut while empty cells follow it.
    private static func expectWholeNames(_ snapshot: RemoteSnapshot, columns: Int, rows: Int) {
        forEachFlag(of: snapshot, columns: columns, rows: rows) { facts, text in
            guard !text.contains(facts.name) else { return }
            let empty = text.dropFirst(ListColumns.nameStart).contains("   ")
            #expect(!empty, "\(columns) columns: \(text)")
        }
    }

    /// Goes through the pages of the list, with each flag and the text of its row up to the scroll bar.
    private static func forEachFlag(
        of snapshot: RemoteSnapshot, columns: Int, rows: Int, _ body: (FlagFacts, String) -> Void
    ) {
        var menu = MenuDriver(snapshot, columns: columns, rows: rows)
        var last = ""
        while menu.selectedKey != last {
            last = menu.selectedKey ?? ""
            let (frame, region) = (menu.state.screen.frame, menu.state.layout.list)
            for (line, row) in zip(region.rowRange, menu.state.list.rows.dropFirst(menu.state.list.top)) {
                guard case .flag(let place) = row else { continue }
                let cells = region.column..<region.columnRange.upperBound - 1
                body(menu.state.board.facts(at: place), cells.map { String(frame[line, $0].character) }.joined())
            }
            menu.press("<pgdn>")
        }
    }
}
