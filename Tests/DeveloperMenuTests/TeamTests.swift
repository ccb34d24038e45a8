import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

@Suite("The team in the menu")
struct TeamTests {
    /// A menu with a team, the first flag selected and overridden.
    private static func menu(_ team: [String: Override]? = [:], columns: Int = 100) -> MenuDriver {
        var menu = MenuDriver(columns: columns, overrides: ["enable_multiple_locations": "true"], team: team)
        menu.press("g")
        return menu
    }

    private static let byAna = Override(
        value: "true", setAt: Timestamp(seconds: MenuDriver.now.seconds - 180), setBy: "ana")

    @Test("t names the environment, moves the override when the team has it, and undo reverts both")
    func moves() {
        var menu = Self.menu()
        #expect(menu.effects(of: "t").isEmpty)
        let screen = menu.text
        #expect(screen.contains("Move 1 override to the team?") && screen.contains("etcd://h:1/shop"), "\(screen)")
        menu.press("y")
        #expect(menu.team["enable_multiple_locations"]?.value == "true")
        #expect(menu.saved.isEmpty && menu.state.message?.text.hasPrefix("Moved 1 override to the team.") == true)
        #expect(menu.state.selected?.explanation.winner == .team)
        menu.press("u")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test("any other key in the dialog moves nothing")
    func cancels() {
        var menu = Self.menu()
        menu.press("tn")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test("if the team cannot be changed, the override stays and the message says so")
    func keepsOverride() {
        var menu = Self.menu()
        menu.teamError = "Team: etcd refused the connection; the team's values were not changed."
        menu.press("ty")
        #expect(menu.saved == ["enable_multiple_locations": "true"] && menu.state.message?.text == menu.teamError)
        #expect(menu.state.isSettled)
    }

    @Test("a value that others have set since is not reverted")
    func leavesOthers() {
        var menu = Self.menu()
        menu.press("ty")
        menu.team["enable_multiple_locations"] = Override(value: "false", setBy: "bo")
        menu.happens(.team(.read(menu.team, at: MenuDriver.now, error: nil)))
        #expect(menu.state.message?.text == "enable_multiple_locations was set to false for the team by bo.")
        menu.press("u")
        #expect(menu.team["enable_multiple_locations"]?.value == "false")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test("without a team, without an override, and when read-only, t says why it does nothing")
    func disabled() {
        var without = Self.menu(nil)
        without.press("t")
        #expect(without.state.message?.text.hasPrefix("There is no team.") == true)
        var notOverridden = MenuDriver(team: [:])
        notOverridden.press("gt")
        #expect(notOverridden.state.message?.text.contains("has no override to move") == true)
        var readOnly = Self.menu()
        var preferences = Preferences.standard
        preferences.isReadOnly = true
        readOnly.happens(.settings(.preferencesRead(preferences, errors: [])))
        readOnly.press("t")
        #expect(readOnly.state.message?.text.hasPrefix("Read-only") == true && readOnly.state.mode == .list)
    }

    @Test("the detail shows who set the team's value and when, and the title marks cached values")
    func shows() {
        var menu = MenuDriver(columns: 120, team: ["enable_multiple_locations": Self.byAna])
        menu.press("g")
        #expect(menu.text.contains("set by ana, 3 min ago"), "\(menu.text)")
        #expect(!menu.text.contains("cached"))
        let old = Timestamp(seconds: MenuDriver.now.seconds - 300)
        menu.happens(.team(.read(["enable_multiple_locations": Self.byAna], at: old, error: "Team: away.")))
        #expect(menu.text.contains("team, cached 5 min ago"), "\(menu.text)")
        menu.happens(.team(.read(["enable_multiple_locations": Self.byAna], at: MenuDriver.now, error: nil)))
        #expect(!menu.text.contains("cached"))
    }

    @Test("a team value of a key that no source has is listed, but not as an override")
    func unlisted() {
        var menu = MenuDriver(team: ["brand_new": Self.byAna])
        #expect(menu.text.contains("brand_new"))
        menu.press("m")
        #expect(menu.state.overrideCount == 0 && !menu.text.contains("brand_new"))
    }
}

extension MenuDriver {
    fileprivate var text: String { lines.joined(separator: "\n") }
}
