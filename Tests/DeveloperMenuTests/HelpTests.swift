import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Help: lists all actions, filters them while typing, and runs one with Enter.
@Suite struct HelpTests {
    private func help(_ menu: MenuDriver) -> ActionSheet? { menu.state.sheet(ActionSheet.self) }

    private func ids(_ menu: MenuDriver) -> [Action.ID] {
        help(menu)?.entries.map { menu.state.keymap.all[$0.index].id } ?? []
    }

    @Test func `help lists every action of the list`() {
        let menu = MenuDriver(pressing: "?")
        // Without a team, there is no action for it.
        let count = Keymap.standard.actions(in: .list).count - 1
        #expect(help(menu)?.entries.count == count)
        #expect(menu.lines.contains { $0.contains("\(count) of \(count)") })
    }

    @Test(arguments: [
        ("undo", Action.ID.undo), ("F1", .help), ("^r", .redo), ("changed only", "showOverriddenOnly"),
        ("suspend", "suspend"), ("pgdn", "pageDown"),
    ])
    func `help is filtered by words and keys`(text: String, id: Action.ID) {
        let menu = MenuDriver(pressing: "?<paste:\(text)>")
        #expect(ids(menu).contains(id))
        #expect((help(menu)?.entries.count ?? 0) < 24)
    }

    @Test func `enter runs the selected entry`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?activate uses<enter>") == [.fetchRemote(id: 1)])
        #expect(menu.state.mode == .list)
        #expect(menu.press("?changed only<enter>").state.list.showsChangesOnly)
    }

    /// Closing help restores the previous mode, including typed text.
    @Test(
        arguments: ["/lo", "<enter>", "G<enter>x", "i", ":", "y", "M", "C", "e"].map { ($0, "<f1>") }
            + ["<enter>", "i", "X", "H", "M", "c", "y", "s"].map { ($0, "?") })
    func `f 1 opens help everywhere, the help key in sheets without text, and escape returns`(keys: String, key: String)
    {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"], pressing: keys)
        let before = menu.state.mode
        #expect(menu.press(key).state.mode.part == .help)
        let entry = help(menu)?.entries.first.map { menu.state.keymap.all[$0.index] }
        #expect(entry?.part == before.part, "the actions of the open part come first")
        #expect(menu.press("<esc>").state.mode == before)
    }

    @Test func `help over a sheet runs only the actions of the sheet`() throws {
        var menu = MenuDriver(pressing: "/variant<enter><enter><f1>next option<enter>")
        let options = try #require(menu.state.sheet(OptionList.self))
        #expect(menu.state.facts(of: options.key).choices[options.selection].value == "variant_a")
        #expect(menu.effects(of: "<f1>fetch remote<enter><esc>") == [], "help has no such entry here")
        #expect(menu.state.mode == .sheet(options))
    }

    @Test func `empty result runs nothing`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "?zzzz<enter>") == [])
        #expect(menu.lines.contains { $0.contains("No entry matches. Esc closes this sheet.") })
        #expect(menu.press("<down><up><esc>").state.mode == .list)
    }

    @Test func `selection stays in range and resets with each letter`() {
        var menu = MenuDriver(pressing: "?")
        for _ in ActionTable.all { menu.press("<down>") }
        #expect(help(menu)?.selection == (help(menu)?.entries.count ?? 0) - 1)
        for keys in ["<tab><s-tab><c-p><c-n>u", "<up>"] {
            menu.press(keys)
            #expect(help(menu)?.selection == 0)
        }
    }
}
