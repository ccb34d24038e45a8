import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The team in the menu.
@Suite struct TeamTests {
    /// A menu with a team, the first flag selected and overridden.
    private static func menu(_ team: FlagTable<FlagOverride>? = [:], pressing keys: String = "") -> MenuDriver {
        MenuDriver(
            columns: 100, overrides: ["enable_multiple_locations": "true"], team: team, pressing: "g\(keys)")
    }

    private static let byAna = FlagOverride(
        value: "true", setAt: FlagTimestamp(seconds: MenuDriver.now.seconds - 180), setBy: "ana")

    @Test func `t names the environment, moves the override when the team has it, and undo and redo move both`() {
        var menu = Self.menu()
        #expect(menu.effects(of: "t").isEmpty)
        #expect(menu.missing("Move 1 override to the team?", "etcd://h:1/shop") == [], "\(menu.text)")
        #expect(menu.press("y").team["enable_multiple_locations"]?.value == "true")
        #expect(menu.saved.isEmpty && menu.state.message?.text.hasPrefix("Moved 1 override to the team.") == true)
        #expect(menu.state.selected?.explanation.winner == .team)
        menu.press("u")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
        menu.press("<c-r>")
        #expect(menu.team["enable_multiple_locations"]?.value == "true" && menu.saved.isEmpty)
        menu.press("u")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test func `any other key in the dialog moves nothing`() {
        let menu = Self.menu(pressing: "tn")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test func `if the team cannot be changed, the override stays and the message says so`() {
        var menu = Self.menu()
        menu.teamError = "Team: etcd refused the connection; the team's values were not changed."
        menu.press("ty")
        #expect(menu.saved == ["enable_multiple_locations": "true"] && menu.state.message?.text == menu.teamError)
        #expect(menu.state.isSettled)
    }

    @Test func `a value that others have set since is not reverted`() {
        var menu = Self.menu(pressing: "ty")
        menu.team["enable_multiple_locations"] = FlagOverride(value: "false", setBy: "bo")
        menu.happens(.team(.read(menu.team, at: MenuDriver.now, error: nil)))
        #expect(menu.state.message?.text == "enable_multiple_locations was set to false for the team by bo.")
        #expect(menu.press("u").team["enable_multiple_locations"]?.value == "false")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test func `an undo that the team did not make changes nothing, and can be tried again`() {
        var menu = Self.menu(pressing: "ty")
        menu.teamError = "Team: etcd refused the connection; the team's values were not changed."
        menu.press("u")
        #expect(menu.team["enable_multiple_locations"]?.value == "true" && menu.saved.isEmpty)
        #expect(menu.state.message?.text.hasPrefix("Not undone. Team: etcd refused") == true)
        menu.teamError = nil
        menu.press("u")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test func `undo gives back the team's former value with its end`() {
        let end = FlagTimestamp(seconds: MenuDriver.now.seconds + 600)
        var menu = Self.menu(["enable_multiple_locations": FlagOverride(value: "false", setBy: "bo", end: .moment(end))]
        )
        #expect(menu.press("ty").team["enable_multiple_locations"]?.end?.time == nil)
        menu.press("u")
        let restored = menu.team["enable_multiple_locations"]
        #expect(restored?.value == "false" && restored?.end?.time == end)
    }

    @Test func `while the team has not responded, undo does nothing`() {
        var menu = Self.menu()
        menu.isTeamSilent = true
        menu.press("ty")
        #expect(menu.effects(of: "u").isEmpty && menu.effects(of: "<c-r>").isEmpty)
        #expect(menu.state.message?.text.hasPrefix("The team has not responded") == true)
    }

    @Test func `after another change, undo reverts that one, and the team's value stays`() {
        var menu = Self.menu(pressing: "ty/login_variant<enter><enter>j<enter>")
        #expect(menu.saved == ["login_variant": "variant_a"])
        menu.press("u")
        #expect(menu.saved.isEmpty && menu.team["enable_multiple_locations"]?.value == "true")
    }

    @Test func `t in an option list sets the option for the team, resets the override here, and undo reverts both`() {
        var menu = MenuDriver(columns: 100, overrides: ["login_variant": "variant_a"], team: [:])
        menu.press("/login_variant<enter><enter>jt")
        let missing = menu.missing("Set 1 flag for the team?", "etcd://h:1/shop", "the override here is reset")
        #expect(missing == [], "\(menu.text)")
        menu.press("y")
        #expect(menu.team["login_variant"]?.value == "variant_b" && menu.saved.isEmpty)
        #expect(menu.state.message?.text.hasPrefix("Set 1 flag for the team.") == true)
        menu.press("u")
        #expect(menu.team.isEmpty && menu.saved == ["login_variant": "variant_a"])
    }

    @Test func `an option set for the team without an override here is undone for the team only`() {
        var menu = MenuDriver(columns: 100, overrides: ["enable_multiple_locations": "true"], team: [:])
        #expect(menu.press("/login_variant<enter><enter>jty").team["login_variant"] != nil)
        #expect(menu.press("<enter>t").state.message?.text.contains("has this value already") == true)
        menu.press("<esc>u")
        #expect(menu.team.isEmpty && menu.saved == ["enable_multiple_locations": "true"])
        #expect(menu.press("<c-r>").team["login_variant"] != nil)
    }

    @Test func `without a team, without an override, and when read-only, t says why it does nothing`() {
        #expect(Self.menu(nil, pressing: "t").state.message?.text.hasPrefix("There is no team.") == true)
        #expect(MenuDriver(team: [:], pressing: "gt").state.message?.text.contains("has no override to move") == true)
        var readOnly = Self.menu()
        readOnly.prefer { $0.isReadOnly = true }
        readOnly.press("t")
        #expect(readOnly.state.message?.text.hasPrefix("Read-only") == true && readOnly.state.mode == .list)
    }

    @Test func `the detail shows who set the team's value and when, and the title marks cached values`() {
        var menu = MenuDriver(columns: 120, team: ["enable_multiple_locations": Self.byAna], pressing: "g")
        #expect(menu.text.contains("set by ana, 3 min ago"), "\(menu.text)")
        #expect(!menu.text.contains("cached"))
        let old = FlagTimestamp(seconds: MenuDriver.now.seconds - 300)
        menu.happens(.team(.read(["enable_multiple_locations": Self.byAna], at: old, error: "Team: away.")))
        #expect(menu.text.contains("team, cached 5 min ago"), "\(menu.text)")
        menu.happens(.team(.read(["enable_multiple_locations": Self.byAna], at: MenuDriver.now, error: nil)))
        #expect(!menu.text.contains("cached"))
    }

    @Test func `a team value of a key that no source has is listed, but not as an override`() {
        var menu = MenuDriver(team: ["brand_new": Self.byAna])
        #expect(menu.text.contains("brand_new"))
        menu.press("m")
        #expect(menu.state.changeCount == 0 && !menu.text.contains("brand_new"))
    }
}
