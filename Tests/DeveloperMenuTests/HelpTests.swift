import TerminalUI
import Testing

@testable import DeveloperMenu

/// Help: the whole table, filtered by what is typed, run by Enter.
@Suite struct HelpTests {
    private func help(_ menu: MenuDriver) -> HelpSheet? {
        if case .help(let help) = menu.state.mode { help } else { nil }
    }

    @Test func helpListsEveryBinding() {
        var menu = MenuDriver()
        menu.press("?")
        #expect(help(menu)?.entries.count == Bindings.all.count)
        #expect(menu.lines.contains { $0.contains("\(Bindings.all.count) of \(Bindings.all.count)") })
    }

    @Test(arguments: [
        ("undo", Intent.undo), ("F1", .help), ("^r", .redo), ("overridden only", .showOverriddenOnly),
        ("suspend", .suspend), ("pgdn", .pageDown),
    ])
    func itIsFilteredByWordsAndKeys(text: String, intent: Intent) {
        var menu = MenuDriver()
        menu.press("?<paste:\(text)>")
        #expect(help(menu)?.entries.map(\.intent).contains(intent) == true)
        #expect((help(menu)?.entries.count ?? 0) < 12)
    }

    @Test func enterRunsTheSelectedEntry() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?once activated<enter>") == [.fetchRemote])
        #expect(menu.state.mode == .list)
        menu.press("?overridden flags only<enter>")
        #expect(menu.state.list.showsOverriddenOnly)
    }

    @Test func anEntryThatDoesNotWorkNowSaysWhy() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?activate fetched<enter>") == [])
        #expect(menu.message == "No fetched values wait. f fetches.")
    }

    @Test func anEntryOfAnotherPlaceSaysWhere() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?check the value<enter>") == [])
        #expect(menu.message == "enter ^S works while editing a value.")
    }

    @Test func anEmptyResultRunsNothing() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?zzzz<enter>") == [])
        #expect(menu.lines.contains { $0.contains("No entry matches. Esc closes help.") })
        menu.press("<down><up><esc>")
        #expect(menu.state.mode == .list)
    }

    @Test func theSelectionStaysInsideAndStartsAnewWithEachLetter() {
        var menu = MenuDriver()
        menu.press("?")
        for _ in 0..<200 { menu.press("<down>") }
        #expect(help(menu)?.selection == Bindings.all.count - 1)
        menu.press("<tab><s-tab><c-p><c-n>u")
        #expect(help(menu)?.selection == 0)
        menu.press("<up>")
        #expect(help(menu)?.selection == 0)
    }
}
