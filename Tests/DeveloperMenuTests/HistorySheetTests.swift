import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// The sheet with the history of overrides.
@Suite struct HistorySheetTests {
    /// A menu with three changes: two flags are overridden, then both are cleared.
    private func menu(columns: Int = 80) -> MenuDriver {
        var menu = MenuDriver(columns: columns)
        menu.press("<space>/lv<enter><space><esc>Cy")
        return menu
    }

    @Test(arguments: pictures)
    func `matches snapshot`(picture: SavedText) {
        let mismatch = picture.mismatch()
        #expect(mismatch == nil, "\(mismatch ?? "")")
    }

    private static let pictures: [SavedText] = [
        picture("history", "H"), picture("history-undone", "HjjjU"), picture("history-filtered", "H/variant"),
        picture("history-40x10", "Hj", Size(columns: 40, rows: 10)),
    ]

    private static func picture(_ name: String, _ keys: String, _ size: Size = Size(columns: 80, rows: 24)) -> SavedText
    {
        SavedText(name: name) {
            var menu = HistorySheetTests().menu()
            menu.press(keys)
            menu.happens(.terminal(.resized(size)))
            return menu.dump
        }
    }

    @Test func `Enter selects the flag and clears a filter that hides it`() {
        var menu = menu()
        menu.press("/items<enter>H")
        menu.press("<enter>")
        #expect(menu.message?.hasPrefix("Several flags changed here.") == true)
        menu.press("jj<enter>")
        #expect(menu.selectedKey == "login_variant" && menu.state.mode == .list)
        #expect(menu.state.list.filter.text.isEmpty)
    }

    @Test func `undo to here also undoes newer changes and shows their number`() {
        var menu = menu()
        menu.press("Hjjj")
        #expect(menu.lines.contains { $0.contains("U undoes 2") }, "\(menu.lines)")
        #expect(menu.state.sheet(HistorySheet.self)?.undoCount == 2)
        menu.press("U")
        #expect(menu.saved.keys.sorted() == ["enable_multiple_locations"])
        #expect(menu.state.sheet(HistorySheet.self)?.entries.count(where: \.isUndone) == 2)
        menu.press("G")
        menu.press("U")
        #expect(menu.saved == [:])
        menu.press("U")
        #expect(menu.message == "Already undone.")
        menu.press("g")
        menu.press("U")
        #expect(menu.message == "This is an undo or a redo. Choose its original change.")
    }

    @Test func `the filter matches words, and Esc clears it before it closes the sheet`() {
        var menu = menu()
        menu.press("H/ana variant<enter>")
        #expect(
            menu.state.sheet(HistorySheet.self)?.items.count == 4, "clearing both overrides, and changing login_variant"
        )
        menu.press("<esc>")
        #expect(menu.state.sheet(HistorySheet.self)?.items.count == 5)
        menu.press("/nosuch")
        #expect(menu.lines.contains { $0.contains("No change contains these words.") })
        menu.press("<esc><esc>")
        #expect(menu.state.mode == .list)
    }

    @Test func `new changes appear while the selection stays on its change`() {
        var menu = menu()
        menu.press("HG")
        let selected = menu.state.sheet(HistorySheet.self)?.selectedEntry?.revision
        menu.press("u")
        #expect(menu.state.sheet(HistorySheet.self)?.entries.count == 4)
        #expect(menu.state.sheet(HistorySheet.self)?.selectedEntry?.revision == selected)
    }

    @Test func `an empty or unreadable history shows a message`() {
        var menu = MenuDriver()
        menu.press("H")
        #expect(menu.lines.contains { $0.contains("No changes yet.") })
        menu.press("<enter>")
        #expect(menu.message == "No change to choose.")
        menu.press("U")
        #expect(menu.message == "Nothing to undo.")
        let id = menu.state.sheet(HistorySheet.self)?.request ?? 0
        menu.happens(.store(.historyRead(id: id, [], error: "history.jsonl cannot be read.")))
        #expect(menu.lines.contains { $0.contains("history.jsonl cannot be read.") })
        menu.happens(.store(.historyRead(id: id - 1, [])))
        #expect(menu.lines.contains { $0.contains("history.jsonl cannot be read.") }, "an older response is ignored")
    }
}
