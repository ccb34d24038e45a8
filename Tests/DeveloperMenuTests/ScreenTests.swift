import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Whole screens with text and style, compared with snapshots.
@Suite struct ScreenTests {
    typealias Picture = SavedText

    private static let longKeys = [80, 100, 120, 200].map { columns in
        Picture(name: "long-keys-\(columns)x24") {
            pressed("jj<space>", MenuDriver(ListColumnsTests.longKeys, columns: columns))
        }
    }

    @Test(arguments: layouts + longKeys + states + sheets + evaluations + situations)
    func `matches snapshot`(picture: Picture) {
        let mismatch = picture.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    private static let overrides = ["enable_multiple_locations": "true", "login_variant": "control"]
    private static let compact = MenuDriver(columns: 40, rows: 10, overrides: overrides)
    private static let ascii = MenuDriver(charset: .ascii, overrides: overrides)
    private static let smallest = Size(columns: 40, rows: 10)

    private static let layouts: [Picture] = [
        Picture(name: "list-80x24") { MenuDriver(overrides: overrides) },
        Picture(name: "split-120x30") { pressed("jj", MenuDriver(columns: 120, rows: 30, overrides: overrides)) },
        Picture(name: "full-165x40") { pressed("j", MenuDriver(columns: 165, rows: 40, overrides: overrides)) },
        Picture(name: "compact-40x10") { pressed("j", compact) },
        Picture(name: "too-small-39x9") { MenuDriver(columns: 39, rows: 9, overrides: overrides) },
        Picture(name: "too-small-1x1") { MenuDriver(columns: 1, rows: 1) },
        Picture(name: "ascii-80x24") { pressed("jj", ascii) },
        Picture(name: "ascii-split-120x30") {
            MenuDriver(columns: 120, rows: 30, charset: .ascii, overrides: overrides)
        },
        Picture(name: "wide-characters-80x24") { pressed("jj", MenuDriver(japanese)) },
        Picture(name: "wide-characters-split-100x20") { pressed("/ログ", MenuDriver(japanese, columns: 100, rows: 20)) },
    ]

    /// Selects a flag in each state, which changes the row, the detail line and the footer.
    private static let states: [Picture] = [
        Picture(name: "state-not-set") { MenuDriver(kinds) },
        Picture(name: "state-overridden") { selecting("overridden") },
        Picture(name: "state-same-as-remote") { selecting("same") },
        Picture(name: "state-stale") { selecting("stale") },
        Picture(name: "state-orphan") { selecting("orphan") },
        Picture(name: "state-invalid") { selecting("invalid") },
        Picture(name: "state-launch-wins") { selecting("launched") },
        Picture(name: "explanation-of-launch-wins") { pressed("i", selecting("launched")) },
        Picture(name: "explanation-of-invalid") { pressed("i", selecting("invalid")) },
    ]

    private static let sheets: [Picture] = [
        Picture(name: "filter-80x24") { pressed("/lgn", MenuDriver(overrides: overrides)) },
        Picture(name: "filter-sticky-80x24") { pressed("/is:overridden<enter>j", MenuDriver(overrides: overrides)) },
        Picture(name: "filter-without-match") { pressed("/zzz<enter>", MenuDriver()) },
        Picture(name: "filter-compact-40x10") { pressed("/item", MenuDriver(columns: 40, rows: 10)) },
        Picture(name: "overridden-only-empty") { pressed("m", MenuDriver()) },
        Picture(name: "options-80x24") { pressed("/variant<enter><enter>j", MenuDriver(overrides: overrides)) },
        Picture(name: "options-compact-40x10") { pressed("/variant<enter><enter>j", compact) },
        Picture(name: "options-ascii") { pressed("/variant<enter><enter>", ascii) },
        Picture(name: "editor-error") { pressed("/screen<enter><enter>,<enter>", MenuDriver()) },
        Picture(name: "editor-compact-40x10") { pressed("G<enter> and more", MenuDriver(columns: 40, rows: 10)) },
        Picture(name: "clear-all") { pressed("C", MenuDriver(overrides: overrides)) },
        Picture(name: "clear-all-compact-40x10") { pressed("C", compact) },
        Picture(name: "explanation-80x24") { pressed("/variant<enter>i", MenuDriver(overrides: overrides)) },
        Picture(name: "explanation-compact-40x10") { pressed("/variant<enter>ij", compact) },
        Picture(name: "help-80x24") { pressed("?", MenuDriver()) },
        Picture(name: "help-filtered") { pressed("?clear<down>", MenuDriver()) },
        Picture(name: "help-compact-40x10") { pressed("?", MenuDriver(columns: 40, rows: 10)) },
        Picture(name: "open-80x24") { pressed(":open<enter>", MenuDriver()) },
        Picture(name: "open-40x10") { pressed(":open<enter>", MenuDriver(columns: 40, rows: 10)) },
        Picture(name: "scenarios-80x24") { pressed("s", ScenarioTests.menu()) },
        Picture(name: "scenario-80x24") { pressed("s<enter>", ScenarioTests.menu()) },
        Picture(name: "scenario-40x10") { pressed("s<enter>j", ScenarioTests.menu(columns: 40, rows: 10)) },
        Picture(name: "bisect-80x24") { BisectTests.menu("gb") },
        Picture(name: "bisect-40x10") { BisectTests.menu("g", columns: 40, rows: 10) },
        Picture(name: "bisect-found") { BisectTests.menu("gbgbbg") },
        Picture(name: "bisect-left") { BisectTests.menu("gbq") },
        Picture(name: "history") { history("H") },
        Picture(name: "history-undone") { history("HjjjU") },
        Picture(name: "history-filtered") { history("H/variant") },
        Picture(name: "history-40x10") { history("Hj", size: smallest) },
    ]

    private static let evaluations: [Picture] = [
        Picture(name: "context-80x24") { pressed("cG <down>", ContextSample.menu()) },
        Picture(name: "context-compact-40x10") { pressed("cG ", ContextSample.menu(columns: 40, rows: 10)) },
        Picture(name: "context-ascii") { pressed("cG ", ContextSample.menu(charset: .ascii)) },
        Picture(name: "context-value") { pressed("c<enter>", ContextSample.menu()) },
        Picture(name: "context-adding") { pressed("ca<down>", ContextSample.menu()) },
        Picture(name: "conditions-in-the-detail-120x30") {
            pressed("cG <esc>", ContextSample.menu(columns: 120, rows: 30))
        },
        Picture(name: "conditions-in-an-explanation") { pressed("i", ContextSample.menu()) },
    ]

    /// Three values were fetched and wait.
    private static let waiting = Event.remote(.fetched(id: 0, waiting: .values(3), at: MenuDriver.now, errors: []))

    private static let situations: [Picture] = [
        Picture(name: "loading") { unread(.remote(.fetchStarted(id: 0))) },
        Picture(name: "fetching") {
            receiving(
                .remote(.fetchStarted(id: 0)), .remote(.progressed(source: 0, .received(bytes: 1_540, of: 41_000))))
        },
        Picture(name: "fetching-40x10") {
            receiving(.remote(.fetchStarted(id: 0)), .remote(.progressed(source: 0, .responded)), size: smallest)
        },
        Picture(name: "sources") {
            pressed(
                "F",
                receiving(
                    .remote(.sourcesChanged(FetchingTests.statuses)), .remote(.fetchStarted(id: 0)),
                    .remote(.progressed(source: 3, .requested))))
        },
        Picture(name: "sources-title-160x24") {
            receiving(.remote(.sourcesChanged(FetchingTests.statuses)), size: Size(columns: 160, rows: 24))
        },
        Picture(name: "sources-40x10") {
            pressed("F", receiving(.remote(.sourcesChanged(FetchingTests.statuses)), size: smallest))
        },
        Picture(name: "failed-without-values") { unread(.remote(.fetchFailed(id: 0, errors: [mistake]))) },
        Picture(name: "failed-without-values-40x10") {
            unread(.remote(.fetchFailed(id: 0, errors: [mistake])), size: smallest)
        },
        Picture(name: "failed-with-cached-values") { receiving(.remote(.fetchFailed(id: 0, errors: [mistake]))) },
        Picture(name: "source-without-flags") { MenuDriver(.snapshot("{}")) },
        Picture(name: "fetched-and-waiting") { receiving(waiting) },
        Picture(name: "fetched-and-waiting-40x10") { receiving(waiting, size: smallest) },
        Picture(name: "store-error") {
            receiving(.store(.read(OverrideTable(), error: "overrides.json: line 3, column 1: expected a value.")))
        },
        Picture(name: "unsaved") { unsaved },
        Picture(name: "unsaved-leaving") { pressed("q", unsaved) },
        Picture(name: "key-without-meaning") { pressed("Z", MenuDriver()) },
    ]

    // MARK: sizes too large for a snapshot

    @Test(arguments: [(500, 200), (500, 10), (40, 200), (160, 10), (100, 10), (99, 16), (60, 15)])
    func `any size has title list and footer`(columns: Int, rows: Int) {
        let menu = MenuDriver(columns: columns, rows: rows, overrides: Self.overrides)
        let lines = menu.lines
        #expect(lines.count == rows)
        #expect(lines[0].contains("2 changed"))
        #expect(lines.contains { $0.contains("Multiple locations") })
        #expect(lines[rows - 1].contains("? help"))
        #expect((lines.map { DisplayText.width($0) }.max() ?? 0) <= columns)
        #expect(menu.textAtCursor?.contains("Multiple locations") == true)
    }

    /// At every size and in every mode nothing traps and the cursor stays on the screen.
    @Test(
        .slow,
        arguments: [
            "", "/lo", "<enter>", "G<enter>", "C", "i", "?", "m", "Z", "c", "cG", "c<enter>", "ca<down>",
        ])
    func `cursor stays on the screen at every size`(keys: String) {
        for columns in [1, 2, 3, 10, 39, 40, 41, 59, 60, 80, 99, 100, 159, 160, 300] {
            for rows in [1, 2, 3, 5, 9, 10, 11, 15, 16, 24, 60] {
                var menu = keys.hasPrefix("c") ? ContextSample.menu() : MenuDriver(overrides: Self.overrides)
                menu.press(keys)
                menu.happens(.terminal(.resized(Size(columns: columns, rows: rows))))
                let screen = menu.state.screen
                #expect(screen.frame.size == Size(columns: columns, rows: rows))
                if let cursor = screen.cursor {
                    #expect(screen.frame.region.contains(cursor), "\(keys) at \(columns)x\(rows): \(cursor)")
                } else {
                    #expect(columns < 40 || rows < 10, "\(keys) at \(columns)x\(rows) hides the cursor")
                }
            }
        }
    }

    @Test func `every title shows the override count`() {
        for columns in 40...180 {
            for (count, word) in [(0, "nothing changed"), (1, "1 changed"), (2, "2 changed")] {
                let overrides = Self.overrides.filter { count == 2 || (count == 1 && $0.key == "login_variant") }
                let menu = MenuDriver(columns: columns, rows: 12, overrides: overrides)
                #expect(menu.lines[0].contains(word), "\(columns) columns: \(menu.lines[0])")
            }
        }
    }
}

// Creates the menus for the snapshots.
extension ScreenTests {
    private static let mistake = "shop.json: line 12, column 7: expected ',' or '}'. The values of 14:02 stay in use."

    private static func pressed(_ keys: String, _ menu: MenuDriver) -> MenuDriver {
        var menu = menu
        menu.press(keys)
        return menu
    }

    private static func receiving(_ events: Event..., size: Size = Size(columns: 80, rows: 24)) -> MenuDriver {
        var menu = MenuDriver(columns: size.columns, rows: size.rows, overrides: overrides)
        for event in events { menu.happens(event) }
        return menu
    }

    private static func history(_ keys: String, size: Size = Size(columns: 80, rows: 24)) -> MenuDriver {
        var menu = HistorySheetTests.menu(keys)
        menu.happens(.terminal(.resized(size)))
        return menu
    }

    /// A menu that has read only its store before the event.
    private static func unread(_ event: Event, size: Size = Size(columns: 80, rows: 24)) -> MenuDriver {
        var menu = MenuDriver()
        let target = MenuTarget(app: "shop", source: "shop.json")
        menu.state = MenuState(target: target, size: size, now: MenuDriver.now)
        menu.happens(.store(.read(OverrideTable(), error: nil)))
        menu.happens(event)
        return menu
    }

    private static var unsaved: MenuDriver {
        var menu = MenuDriver()
        menu.store.failure = "Not saved: no space left on /store. Your overrides are intact."
        menu.press("j<tab><tab><space>")
        return menu
    }

    private static func selecting(_ key: String) -> MenuDriver {
        var menu = MenuDriver(
            kinds,
            overrides: [
                "overridden": "true", "same": "false", "stale": "z", "orphan": "1", "invalid": "4x",
                "launched": "false",
            ], launch: ["launched": "true"])
        menu.press("/\(key)<esc>")
        return menu
    }

    private static let kinds = RemoteSnapshot.snapshot(
        #"""
        {"plain": "false", "overridden": "false", "same": "false", "stale": "x", "invalid": "7", "launched": "false",
         "config_categories": [{"category": "Every kind", "items": [
           {"key": "plain", "value": "true|false", "description": "Nobody has touched it."},
           {"key": "overridden", "value": "true|false"}, {"key": "same", "value": "true|false"},
           {"key": "stale", "value": "x|y"}, {"key": "invalid", "type": "int"},
           {"key": "launched", "value": "true|false"}]}]}
        """#)

    private static let japanese = RemoteSnapshot.snapshot(
        #"""
        {"multiple_locations": "false", "login": "標準", "very_long": "1",
         "config_categories": [
           {"category": "場所", "items": [
             {"key": "multiple_locations", "value": "true|false", "title": "複数の店舗を表示する",
              "description": "一つの店舗ではなく、店舗の一覧を表示します。"}]},
           {"category": "ログイン", "items": [
             {"key": "login", "value": "標準|新しい画面|とても長い名前の新しいログイン画面", "title": "ログイン画面"},
             {"key": "very_long", "title": "とてもとてもとてもとてもとてもとてもとても長い名前のフラグ"}]}]}
        """#)
}

extension SavedText {
    /// A snapshot: its name and the menu to show.
    fileprivate init(name: String, menu: @escaping @Sendable () -> MenuDriver) {
        self.init(name: name) { menu().dump }
    }
}
