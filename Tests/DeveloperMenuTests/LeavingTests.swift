import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The message on leaving while overrides are active.
@Suite struct LeavingTests {
    @Test(
        arguments: [
            ([:], nil),
            (["login_variant": "variant_a"], "1 override is active for shop; `flagmenu reset --all` resets it."),
            (
                ["login_variant": "variant_a", "gone": "1"],
                "2 overrides are active for shop; `flagmenu reset --all` resets them."
            ),
        ] as [([String: String], String?)])
    func `message counts overrides and names the reset command`(overrides: [String: String], message: String?) {
        let state = MenuDriver(overrides: overrides).state
        #expect(state.lastingOverrides == message)
        #expect(LineModeSession.farewell(state) == "Closed. \(message ?? "No changes are active.")")
    }

    @Test func `reset command names the app of the menu`() {
        var state = MenuState(
            target: .init(app: "a b", source: "x.json", arguments: ["--app", "a b"]),
            size: .init(columns: 80, rows: 24),
            now: MenuDriver.now)
        var table = OverrideTable()
        table.overrides["k"] = FlagOverride(value: "1", setAt: MenuDriver.now, setBy: nil)
        _ = state.reduce(.store(.read(table, error: nil)), at: MenuDriver.now)
        #expect(
            state.lastingOverrides == "1 override is active for a b; `flagmenu reset --all --app 'a b'` resets it.")
    }

    @Test func `the message names the applied scenario and what deviates from it`() {
        var menu = MenuDriver()
        let scenario = AppliedScenario(name: "checkout", overrides: ["login_variant": "variant_a"])
        let table = OverrideTable(
            revision: 1, overrides: ["login_variant": FlagOverride(value: "variant_b")], scenario: scenario)
        menu.happens(.store(.read(table, error: nil)))
        #expect(
            menu.state.lastingOverrides
                == "1 override, scenario checkout +1, is active for shop; `flagmenu reset --all` resets it.")
    }

    @Test func `during a bisect the message says how to stop it, not how to reset a part of the changes`() {
        #expect(
            BisectTests.menu("gbq").state.lastingOverrides
                == "A bisect is running, so some of your changes are off. "
                + "To stop it and restore them: `flagmenu bisect`, or : bisect and X in the menu.")
    }

    @Test func `read only menu names no reset command`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.prefer { $0.isReadOnly = true }
        #expect(menu.state.lastingOverrides == "1 override is active for shop.")
    }
}
