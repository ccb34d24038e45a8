import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The sheet of a note and an end, and every place that shows them.
@Suite struct NoteTests {
    private static let key = "enable_multiple_locations"

    private static func later(_ seconds: Int64) -> FlagTimestamp {
        FlagTimestamp(seconds: MenuDriver.now.seconds + seconds)
    }

    /// A menu in which the selected flag is overridden.
    private static func menu(
        _ override: FlagOverride = FlagOverride(value: "true"), columns: Int = 90, rows: Int = 30
    ) -> MenuDriver {
        var menu = MenuDriver(columns: columns, rows: rows)
        menu.store.adopt(OverrideTable(revision: 1, overrides: [key: override]))
        menu.happens(.store(.read(menu.store.table, error: nil)))
        return menu
    }

    private static func saving(_ edits: [OverrideEdit], id: Int = 1) -> [Effect] {
        [.saveOverrides(id: id, edits: edits, label: edits.label)]
    }

    // MARK: the sheet

    @Test func `note and end are saved together, and one undo takes both back`() {
        var menu = Self.menu()
        let edits: [OverrideEdit] = [
            .note(key: Self.key, "BUG-4711"), .end(key: Self.key, .lasting(.seconds(3_600))),
        ]
        #expect(menu.effects(of: "eBUG-4711<down><enter>") == Self.saving(edits))
        #expect(menu.state.mode == .list)
        #expect(menu.message == "Multiple locations: BUG-4711, ends in 1 h. u undoes it.")
        #expect(menu.state.lastCommands.count == 1)
        #expect(menu.state.lastCommands[0].text?.hasSuffix("true --note BUG-4711 --for 1h") == true)
        #expect(menu.press("u").message == "Undone: enable_multiple_locations: true, no note, no end.")
        #expect(menu.store.table.overrides[Self.key] == FlagOverride(value: "true"))
    }

    @Test func `without an override, the action says what to do`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "e") == [] && menu.state.mode == .list)
        #expect(menu.message == "Multiple locations is not overridden. Set a value first.")
    }

    @Test(
        arguments: [
            ("<down><down>", "2026-11-18T18:00:00Z", "ends in 6 h 54 min."),
            ("<down>18:00", "2026-11-18T18:00:00Z", "ends in 6 h 54 min."),
            ("<pgdn>18:00", "2026-11-18T18:00:00Z", "ends in 6 h 54 min."),
            ("<pgdn>10:00", "2026-11-19T10:00:00Z", "ends in 22 h 54 min, tomorrow."),
            ("<pgdn>2026-12-01 18:00", "2026-12-01T18:00:00Z", "ends in 13 days, on 2026-12-01."),
        ])
    func `time of the local clock ends the override`(keys: String, time: String, words: String) throws {
        var menu = Self.menu()
        let end = try #require(FlagTimestamp(rfc3339: time))
        #expect(menu.effects(of: "e\(keys)<enter>") == Self.saving([.end(key: Self.key, .until(end))]))
        #expect(menu.message?.contains(words) == true, "\(menu.message ?? "")")
    }

    @Test func `typed time is in the local time zone`() throws {
        var menu = Self.menu()
        menu.state.localZone = LocalZone { _ in 3_600 }
        let end = try #require(FlagTimestamp(rfc3339: "2026-11-18T17:00:00Z"))
        #expect(menu.effects(of: "e<down><down><enter>") == Self.saving([.end(key: Self.key, .until(end))]))
    }

    @Test func `typed duration ends the override, and can be corrected`() {
        var menu = Self.menu()
        #expect(menu.effects(of: "e<pgdn>soon<enter>") == [])
        #expect(menu.missing("Write the end as 2h, 18:00 or 2026-12-01 18:00.") == [])
        #expect(menu.effects(of: "<c-u>2020-01-01 10:00<enter>") == [])
        #expect(menu.missing("This time has passed.") == [])
        let life = OverrideLife.lasting(.seconds(7_200))
        #expect(menu.effects(of: "<c-u>2h<enter>") == Self.saving([.end(key: Self.key, life)]))
    }

    @Test func `text is the note until another end is selected`() throws {
        let end = OverrideEnd.moment(Self.later(3_600))
        var menu = Self.menu(FlagOverride(value: "true", note: "Why", end: end))
        menu.press("e!<tab>3h")
        let sheet = try #require(menu.state.sheet(NoteSheet.self))
        #expect(sheet.note.text == "Why!" && sheet.typedEnd.text == "3h" && sheet.selection == sheet.ends.count - 1)
    }

    @Test func `cursor is where the next character goes`() {
        var menu = Self.menu()
        menu.press("eab")
        #expect(menu.state.screen.cursor.map { menu.lines[$0.row].contains("> ab") } == true)
        menu.press("<pgdn>2h<left>")
        #expect(menu.textAtCursor?.hasPrefix("h ") == true, "\(menu.textAtCursor ?? "")")
    }

    @Test func `end with a restart needs a running app`() {
        var menu = Self.menu()
        #expect(menu.effects(of: "e<down><down><down><enter>") == [])
        #expect(menu.missing("No app runs that could restart.") == [])
        let app = RunningApp(id: "a", name: "shop", process: 1, startedAt: 0, overrideFolder: "/state", flags: [])
        menu.happens(.apps(AppsStatus(running: [app], overrideFolder: "/state")))
        #expect(menu.effects(of: "<enter>") == Self.saving([.end(key: Self.key, .untilRestart)]))
        #expect(menu.message?.contains("ends when the app restarts") == true)
    }

    @Test func `what is not changed stays`() {
        var menu = Self.menu()
        #expect(menu.effects(of: "e<enter>") == [] && menu.state.mode == .list)
        let end = OverrideEnd.moment(Self.later(7_200))
        menu = Self.menu(FlagOverride(value: "true", note: "Why", end: end))
        #expect(menu.effects(of: "e<c-u>X<enter>") == Self.saving([.note(key: Self.key, "X")]))
        #expect(menu.effects(of: "e<down><enter>") == Self.saving([.end(key: Self.key, .forever)], id: 2))
        #expect(menu.effects(of: "e<c-u><enter>") == Self.saving([.note(key: Self.key, "")], id: 3))
        #expect(menu.message == "Multiple locations: no note, no end. u undoes it.")
    }

    @Test func `reset elsewhere does not close the sheet`() {
        var menu = Self.menu()
        menu.press("eWhy")
        menu.changeElsewhere([.clear(key: Self.key)])
        #expect(menu.effects(of: "<enter>") == [] && menu.state.sheet(NoteSheet.self)?.note.text == "Why")
        #expect(menu.missing("Multiple locations is not overridden. Set a value first.") == [])
    }

    // MARK: line mode

    @Test func `line mode takes a note, a number and a typed end`() {
        var driver = LineModeDriver(Self.menu())
        func saved() -> FlagOverride? { driver.menu.store.table.overrides[Self.key] }
        driver.type("1")
        #expect(driver.reply(to: "e").contains("2. in 1 hour"), "\(driver.printed)")
        let printed = driver.reply(to: "BUG-4711")
        #expect(printed.contains("Multiple locations: BUG-4711, no end. u undoes it."), "\(printed)")
        #expect(saved()?.note == "BUG-4711" && saved()?.end == nil)
        driver.type("e", "2")
        #expect(saved()?.note == "BUG-4711" && saved()?.end == .moment(Self.later(3_600)))
        driver.type("note", "2h")
        #expect(saved()?.end == .moment(Self.later(7_200)))
        driver.type("e", "-")
        #expect(saved()?.note == nil && saved()?.end == .moment(Self.later(7_200)))
        driver.type("e", "restart")
        #expect(driver.printed.contains("No app runs that could restart."), "\(driver.printed)")
        driver.type("")
        #expect(driver.menu.state.mode == .list)
        let line = driver.reply(to: "list").first { $0.hasPrefix("1. ") }
        #expect(line == "1. Multiple locations: true, changed, was false, ends in 2 h.")
    }

    // MARK: where they are shown

    @Test func `row, detail, history and bug report have note and end`() {
        var menu = Self.menu()
        #expect(menu.press("eBUG-4711<down><enter>").missing("was false · BUG-4711 · ends in 1 h") == [])
        let facts = menu.state.facts(of: FlagText(Self.key))
        let detail = ExplanationText(facts: facts, state: menu.state, columns: 10_000)
        let text = detail.lines.map { $0.spans.map(\.text).joined() }.joined(separator: "\n")
        #expect(text.contains("BUG-4711, ends in 1 h"), "\(text)")
        let report = BugReport(state: menu.state).text
        #expect(report.contains("| BUG-4711 | ends in 1 h (2026-11-18T12:06:40Z) |"), "\(report)")
        #expect(menu.state.lastingOverrides?.contains("active for shop, ends in 1 h; `flagmenu") == true)
        #expect(menu.press("m").missing("was false · BUG-4711 · ends in 1 h") == [])
        menu.press("H")
        let entry = menu.state.sheet(HistorySheet.self)?.items.first?.text
        #expect(entry?.contains(#"true, note "BUG-4711", until 2026-11-18T12:06:40Z"#) == true, "\(entry ?? "")")
    }

    @Test func `applied scenario follows the number of changes where it fits`() {
        var table = OverrideTable(
            revision: 1,
            overrides: [Self.key: FlagOverride(value: "true"), "greeting_text": FlagOverride(value: "Hi")],
            scenario: AppliedScenario(name: "checkout", overrides: FlagTable([Self.key: "true"])))
        for columns in [40, 80, 120] {
            var menu = MenuDriver(columns: columns)
            menu.happens(.store(.read(table, error: nil)))
            #expect(menu.missing("2 changed · checkout +1") == [], "\(columns) columns")
        }
        var menu = MenuDriver()
        menu.happens(.store(.read(table, error: nil)))
        #expect(LineModeSummary(state: menu.state).overrides == "2 changed. Scenario checkout +1.")
        let report = BugReport(state: menu.state).text
        #expect(report.contains(", scenario checkout +1\n"), "\(report)")
        #expect(
            menu.state.lastingOverrides?.hasPrefix("2 overrides, scenario checkout +1, are active for shop;") == true)
        table.scenario = AppliedScenario(name: String(repeating: "a", count: 60), overrides: [:])
        menu = MenuDriver(columns: 60)
        menu.happens(.store(.read(table, error: nil)))
        #expect(menu.lines[0].hasSuffix("2 changed") && menu.missing("aaa") == ["aaa"])
    }

    // MARK: time

    @Test func `an end disappears from the list at once`() {
        let end = OverrideEnd.moment(Self.later(60))
        var menu = Self.menu(FlagOverride(value: "true", end: end))
        menu.now = Self.later(60)
        menu.happens(.store(.read(OverrideTable(revision: 1), error: nil)))
        #expect(menu.message == "The override of enable_multiple_locations has ended; u brings it back.")
        #expect(menu.value(Self.key) == "false" && menu.missing("nothing changed") == [])
        #expect(menu.state.keymap.action(.undo, in: .list)?.isOffered(menu.state) == true)
        let both = OverrideTable(
            revision: 2,
            overrides: [
                Self.key: FlagOverride(value: "true", end: end),
                "greeting_text": FlagOverride(value: "Hi", note: "Why", end: end),
            ])
        menu.happens(.store(.read(both, error: nil)))
        menu.happens(.store(.read(OverrideTable(revision: 2), error: nil)))
        #expect(menu.message == "2 overrides have ended; u brings them back.")
        menu.performsEffects = false
        #expect(menu.effects(of: "u") == [.moveHistory(id: 1, .undo)])
        let back = OverrideChange(key: Self.key, old: nil, new: FlagOverride(value: "true"))
        let table = OverrideTable(revision: 4, overrides: [Self.key: FlagOverride(value: "true")])
        menu.happens(.store(.moved(id: 1, table, changes: [back], notice: nil)))
        #expect(menu.message == "Undone: enable_multiple_locations: false -> true (was remote)")
    }

    @Test func `after another change, undo undoes that one`() {
        var menu = Self.menu(FlagOverride(value: "true", end: .moment(MenuDriver.now)))
        menu.store.adopt(OverrideTable(revision: 1))
        #expect(menu.happens(.store(.read(menu.store.table, error: nil))).message?.contains("has ended") == true)
        #expect(menu.press("G<enter><c-u>Hi<enter>").saved == ["greeting_text": "Hi"])
        #expect(menu.press("u").saved == [:])
    }

    @Test func `what was reset before its end was reset elsewhere`() {
        let app = RunningApp(id: "a", name: "shop", process: 1, startedAt: 0, overrideFolder: "/state", flags: [])
        for end in [OverrideEnd.moment(Self.later(60)), .restart(of: ["a"])] {
            var menu = Self.menu(FlagOverride(value: "true", end: end))
            menu.happens(.apps(AppsStatus(running: [app], overrideFolder: "/state")))
            menu.happens(.store(.read(OverrideTable(revision: 2), error: nil)))
            #expect(menu.message == "The override of enable_multiple_locations was reset elsewhere.")
        }
        var menu = Self.menu(FlagOverride(value: "true", end: .restart(of: ["a"])))
        menu.happens(.store(.read(OverrideTable(revision: 1), error: nil)))
        #expect(menu.message?.contains("has ended") == true)
    }

    @Test func `end of a value of the team is shown and redrawn too`() {
        let value = FlagOverride(value: "true", setBy: "ana", end: .moment(Self.later(150)))
        let menu = MenuDriver(columns: 90, team: [Self.key: value])
        #expect(menu.missing("team · ana · ends in 3 min") == [] && menu.state.secondsToTick == 30)
    }

    @Test func `end in view is redrawn when its minute changes, a hidden one never`() {
        #expect(MenuDriver().state.secondsToTick == 60)
        var menu = Self.menu(FlagOverride(value: "true", end: .moment(Self.later(150))))
        #expect(menu.missing("ends in 3 min") == [] && menu.state.secondsToTick == 30)
        menu.now = Self.later(29)
        menu.happens(.terminal(.minutePassed))
        #expect(menu.missing("ends in 3 min") == [] && menu.state.secondsToTick == 1)
        menu.now = Self.later(30)
        menu.happens(.terminal(.minutePassed))
        #expect(menu.missing("ends in 2 min") == [] && menu.state.secondsToTick == 60)
        menu.press("/greeting<enter>")
        menu.now = Self.later(45)
        #expect(menu.happens(.terminal(.minutePassed)).state.secondsToTick == 60)
    }
}
