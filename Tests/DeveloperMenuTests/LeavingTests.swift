import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The message on leaving while overrides are active.
@Suite struct LeavingTests {
    @Test func `message counts overrides and names the reset command`() {
        #expect(MenuDriver().state.lastingOverrides == nil)
        #expect(
            MenuDriver(overrides: ["login_variant": "variant_a"]).state.lastingOverrides
                == "1 override is active for shop; `flagmenu reset --all` resets it.")
        #expect(
            MenuDriver(overrides: ["login_variant": "variant_a", "gone": "1"]).state.lastingOverrides
                == "2 overrides are active for shop; `flagmenu reset --all` resets them.")
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

    @Test func `read only menu names no reset command`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.prefer { $0.isReadOnly = true }
        #expect(menu.state.lastingOverrides == "1 override is active for shop.")
    }

    @Test func `line mode ends with the message`() {
        let menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        #expect(
            LineModeSession.farewell(menu.state)
                == "Closed. 1 override is active for shop; `flagmenu reset --all` resets it.")
        #expect(LineModeSession.farewell(MenuDriver().state) == "Closed. No changes are active.")
    }
}
