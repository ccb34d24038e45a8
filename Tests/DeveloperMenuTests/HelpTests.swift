import TerminalUI
import Testing

@testable import DeveloperMenu

/// Help: lists all actions, filters them while typing, and runs one with Enter.
@Suite struct HelpTests {
    private func help(_ menu: MenuDriver) -> ActionSheet? { menu.state.sheet(ActionSheet.self) }

    private func ids(_ menu: MenuDriver) -> [Action.ID] {
        help(menu)?.entries.map { menu.state.keymap.all[$0.index].id } ?? []
    }

    @Test func helpListsEveryAction() {
        var menu = MenuDriver()
        menu.press("?")
        #expect(help(menu)?.entries.count == ActionTable.all.count)
        #expect(menu.lines.contains { $0.contains("\(ActionTable.all.count) of \(ActionTable.all.count)") })
    }

    @Test(arguments: [
        ("undo", Action.ID.undo), ("F1", .help), ("^r", .redo), ("overridden only", "showOverriddenOnly"),
        ("suspend", "suspend"), ("pgdn", "pageDown"),
    ])
    func helpIsFilteredByWordsAndKeys(text: String, id: Action.ID) {
        var menu = MenuDriver()
        menu.press("?<paste:\(text)>")
        #expect(ids(menu).first == id || ids(menu).contains(id))
        #expect((help(menu)?.entries.count ?? 0) < 24)
    }

    @Test func enterRunsTheSelectedEntry() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?activate uses<enter>") == [.fetchRemote(id: 1)])
        #expect(menu.state.mode == .list)
        menu.press("?overridden flags only<enter>")
        #expect(menu.state.list.showsOverriddenOnly)
    }

    @Test func disabledEntryShowsItsReason() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?activate fetched<enter>") == [])
        #expect(menu.message == "Nothing to activate. f fetches.")
    }

    @Test func entryOfAnotherPartOpensThatPart() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?keep the filter<enter>") == [])
        #expect(menu.state.mode == .filter)
        #expect(menu.message == "enter here: Keep the filter and return to the list.")
        menu = MenuDriver()
        #expect(menu.effects(of: "?check the value<enter>") == [])
        #expect(menu.state.mode.part == .options)
        #expect(menu.message == "enter ^S works while editing a value.")
    }

    @Test func entryOfADisabledPartShowsTheReason() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?undo reverts all<enter>") == [])
        #expect(menu.message == "Nothing is overridden.")
        #expect(menu.state.mode == .list)
    }

    /// Closing help restores the previous mode, including typed text.
    @Test func f1OpensHelpEverywhereAndEscapeReturns() {
        for keys in ["/lo", "<enter>", "G<enter>x", "i", ":", "y", "M", "C"] {
            var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"])
            menu.press(keys)
            let before = menu.state.mode
            menu.press("<f1>")
            #expect(menu.state.mode.part == .help, "\(keys)")
            let entry = help(menu)?.entries.first.map { menu.state.keymap.all[$0.index] }
            #expect(entry?.part == before.part, "the actions of the open part come first")
            menu.press("<esc>")
            #expect(menu.state.mode == before, "\(keys)")
        }
    }

    @Test func helpOverASheetRunsOnlyTheActionsOfTheSheet() {
        var menu = MenuDriver()
        menu.press("/variant<enter><enter><f1>next option<enter>")
        guard case .options(let options) = menu.state.mode else { return #expect(Bool(false), "no option list") }
        #expect(options.selectedValue == "variant_a")
        #expect(menu.effects(of: "<f1>fetch remote<enter>") == [])
        #expect(menu.state.mode == .options(options))
        #expect(menu.message == "f works in the list. First close this sheet.")
    }

    @Test func emptyResultRunsNothing() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?zzzz<enter>") == [])
        #expect(menu.lines.contains { $0.contains("No entry matches. Esc closes this sheet.") })
        menu.press("<down><up><esc>")
        #expect(menu.state.mode == .list)
    }

    @Test func selectionStaysInRangeAndResetsWithEachLetter() {
        var menu = MenuDriver()
        menu.press("?")
        for _ in 0...ActionTable.all.count { menu.press("<down>") }
        #expect(help(menu)?.selection == ActionTable.all.count - 1)
        menu.press("<tab><s-tab><c-p><c-n>u")
        #expect(help(menu)?.selection == 0)
        menu.press("<up>")
        #expect(help(menu)?.selection == 0)
    }
}
