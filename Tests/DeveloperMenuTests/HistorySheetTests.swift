import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The sheet with the history of overrides.
@Suite struct HistorySheetTests {
    /// A menu with three changes: two flags are overridden, then both are cleared.
    static func menu(_ keys: String = "") -> MenuDriver {
        MenuDriver(pressing: "<space>/lv<enter><space><esc>Cy\(keys)")
    }

    @Test func `Enter selects the flag and clears a filter that hides it`() {
        var menu = Self.menu("/items<enter>H<enter>")
        #expect(menu.message?.hasPrefix("Several flags changed here.") == true)
        menu.press("jj<enter>")
        #expect(menu.selectedKey == "login_variant" && menu.state.mode == .list)
        #expect(menu.state.list.filter.text.isEmpty)
    }

    @Test func `undo to here also undoes newer changes and shows their number`() {
        var menu = Self.menu("Hjjj")
        #expect(menu.lines.contains { $0.contains("U undoes 2") }, "\(menu.lines)")
        #expect(menu.state.sheet(HistorySheet.self)?.undoCount == 2)
        #expect(menu.press("U").saved.keys.sorted() == ["enable_multiple_locations"])
        #expect(menu.state.sheet(HistorySheet.self)?.entries.count(where: \.isUndone) == 2)
        #expect(menu.press("GU").saved == [:])
        #expect(menu.press("U").message == "Already undone.")
        #expect(menu.press("gU").message == "This is an undo or a redo. Choose its original change.")
    }

    @Test func `undo to here is about the selected change, also after an override has ended`() {
        var menu = MenuDriver(pressing: "<space>")
        menu.changeElsewhere([
            .set(key: "login_variant", value: "variant_a"), .end(key: "login_variant", .lasting(.seconds(9))),
        ])
        menu.now = FlagTimestamp(seconds: MenuDriver.now.seconds + 20)
        menu.happens(
            .store(
                .read(
                    OverrideTable(revision: 9, overrides: menu.store.table.overrides.filter { $0.value.end == nil }),
                    error: nil)))
        menu.press("HG")
        #expect(menu.effects(of: "U").contains { if case .moveHistory(_, .undoTo(1)) = $0 { true } else { false } })
    }

    @Test func `the filter matches words, and Esc clears it before it closes the sheet`() {
        var menu = Self.menu("H/ana variant<enter>")
        // Clearing both overrides, and changing login_variant.
        #expect(menu.state.sheet(HistorySheet.self)?.items.count == 4)
        #expect(menu.press("<esc>").state.sheet(HistorySheet.self)?.items.count == 5)
        #expect(menu.press("/nosuch").lines.contains { $0.contains("No change contains these words.") })
        #expect(menu.press("<esc><esc>").state.mode == .list)
    }

    @Test func `new changes appear while the selection stays on its change`() {
        var menu = Self.menu("HG")
        let selected = menu.state.sheet(HistorySheet.self)?.selectedEntry?.revision
        #expect(menu.press("u").state.sheet(HistorySheet.self)?.entries.count == 4)
        #expect(menu.state.sheet(HistorySheet.self)?.selectedEntry?.revision == selected)
    }

    @Test func `line mode prints the newest 20 lines, and says where the others are`() {
        var menu = MenuDriver()
        for count in 1...24 {
            menu.store.apply([.set(key: "greeting_text", value: "\(count)")], at: MenuDriver.now)
        }
        menu.happens(.store(.read(menu.store.table, error: nil)))
        var driver = LineModeDriver(menu)
        let lines = driver.reply(to: "H")
        #expect(lines.count == 22 && lines[1].contains("24") && lines[20].hasPrefix("20. "), "\(lines)")
        #expect(lines.last == "4 older lines are left out. flagmenu history lists all.")
    }

    @Test func `an empty or unreadable history shows a message`() {
        var menu = MenuDriver(pressing: "H")
        #expect(menu.lines.contains { $0.contains("No changes yet.") })
        #expect(menu.press("<enter>").message == "No change to choose.")
        #expect(menu.press("U").message == "Nothing to undo.")
        let id = menu.state.sheet(HistorySheet.self)?.request ?? 0
        menu.happens(.store(.historyRead(id: id, [], error: "history.jsonl cannot be read.")))
        #expect(menu.lines.contains { $0.contains("history.jsonl cannot be read.") })
        menu.happens(.store(.historyRead(id: id - 1, [])))
        #expect(menu.lines.contains { $0.contains("history.jsonl cannot be read.") }, "an older response is ignored")
    }
}
