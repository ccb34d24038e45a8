import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The palette: finds every list action by name.
@Suite struct PaletteTests {
    private func titles(_ menu: MenuDriver) -> [String] {
        menu.state.sheet(ActionSheet.self)?.entries.map { menu.state.keymap.all[$0.index].help } ?? []
    }

    /// The palette lists what has a name: no movements, no action whose key every screen shows or that every program in
    /// a terminal has, and nothing that this menu can never do.
    private static let listed = Keymap.standard.actions(in: .list).filter {
        !$0.traits.contains(.movesSelection) && !$0.traits.contains(.needsTeam)
            && ![.palette, .help, .cancel, "repaint", "suspend", .interrupt].contains($0.id)
    }

    @Test func `palette lists every named action`() {
        let menu = MenuDriver(pressing: ":")
        #expect(titles(menu) == Self.listed.map(\.help))
        let withTeam = MenuDriver(team: [:], pressing: ":")
        #expect(titles(withTeam).count == Self.listed.count + 1)
    }

    @Test func `every action is shown with its key`() {
        var menu = MenuDriver(pressing: ":")
        for action in Self.listed {
            #expect(menu.lines.contains { $0.contains(action.help) && $0.contains(action.keyNames()) })
            menu.press("<down>")
        }
    }

    @Test(arguments: [
        ("tog", "Toggle: true or false, or the next option."),
        ("undo", "Undo: the last change, no matter who made it."),
        ("chg only", "What I changed: show only that, or all again."), ("mou", "Mouse: on or off."),
        ("remote", "Fetch: get remote values; activate uses them."), ("^r", "Redo: the last undo."),
        ("everyth", "Reset everything: shows it and asks."),
    ])
    func `typed text finds the action among few matches`(typed: String, title: String) {
        let menu = MenuDriver(pressing: ":<paste:\(typed)>")
        #expect(titles(menu).contains(title), "\(titles(menu))")
        #expect(titles(menu).count < 8, "\(titles(menu))")
    }

    /// Words from other programs and from the command line find the matching action.
    @Test(arguments: [
        ("config", Action.ID(rawValue: "store")), ("settings", "store"), ("preferences", "store"),
        ("log", "messages"), ("message", "messages"), ("messages", "messages"), ("reset", "clear"), ("revert", "clear"),
        ("restore", "clear"), ("reset all", "clearAll"), ("clipboard", "copy"), ("diff", "showOverriddenOnly"),
        ("show overrides", "showOverriddenOnly"), ("overrides", "showOverriddenOnly"),
        ("dark", "changeTheme"), ("light", "changeTheme"), ("colors", "changeTheme"),
        ("quit", "quit"), ("exit", "quit"),
        ("search", "filter"), ("select", "setListed"), ("star", "pin"), ("favourite", "pin"), ("backup", "export"),
        ("file", "export"), ("sort", "changeOrder"), ("reload", "fetch"), ("doctor", "checks"), ("paths", "store"),
        ("bug report", "copy"),
    ])
    func `search word finds its action first`(typed: String, id: Action.ID) {
        let menu = MenuDriver(pressing: ":<paste:\(typed)>")
        let first = menu.state.sheet(ActionSheet.self)?.selected(in: menu.state.keymap)
        #expect(first?.id == id, "\(titles(menu).prefix(3))")
    }

    /// A word in a title ranks before a search word.
    @Test func `titles rank first`() {
        let menu = MenuDriver(pressing: ":find")
        #expect(titles(menu).first == "Filter: words, is: type: cat: layer: value: !word.")
    }

    /// The word in the key column can be typed into the palette.
    @Test func `action without a key shows its search word`() {
        for action in Keymap.standard.actions(in: .list) where action.keys.isEmpty {
            let menu = MenuDriver(pressing: ":<paste:\(action.keyNames().dropFirst())>")
            #expect(menu.state.sheet(ActionSheet.self)?.selected(in: menu.state.keymap)?.id == action.id)
            #expect(menu.lines.contains { $0.contains(" \(action.keyNames()) ") })
        }
    }

    @Test func `enter runs the selected action`() {
        var menu = MenuDriver(pressing: ":toggle<enter>")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
        #expect(menu.state.mode == .list)
        #expect(menu.effects(of: ":fetch remote<enter>") == [.fetchRemote(id: 2)])
    }

    @Test func `disabled action shows its reason`() {
        var menu = MenuDriver(pressing: ":activate fetched")
        #expect(menu.lines.contains { $0.contains("Activate: use fetched values") && $0.contains("not now") })
        #expect(menu.lines.contains { $0.contains("Nothing to activate. f fetches.") })
        #expect(menu.effects(of: "<enter>") == [])
        #expect(menu.message == "Nothing to activate. f fetches.")
    }

    @Test func `palette shows and copies the equivalent command`() {
        var menu = MenuDriver(pressing: ":toggle")
        #expect(menu.lines.contains { $0.contains("$ flagmenu toggle enable_multiple_locations") })
        let copied = Effect.copy(id: 1, "flagmenu toggle enable_multiple_locations", what: "command")
        #expect(menu.effects(of: "<c-y>") == [copied])
        let command = #""flagmenu toggle enable_multiple_locations""#
        #expect(menu.message == "Copied the command through the terminal (OSC 52): \(command)")
        #expect(menu.state.mode.part == .palette)
        #expect(menu.effects(of: "<c-u>mouse<c-y>") == [])
        #expect(menu.message == "This action has no command.")
    }

    @Test func `matches are marked`() throws {
        let menu = MenuDriver(pressing: ":fetch")
        let frame = menu.state.screen.frame
        let row = try #require(menu.lines.firstIndex { $0.contains("Fetch: get remote values") })
        #expect((0..<frame.size.columns).count { frame[row, $0].style.isUnderlined } == 5)
    }
}
