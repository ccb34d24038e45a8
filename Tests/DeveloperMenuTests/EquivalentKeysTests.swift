import FlagModel
import FlagQueries
import Testing

@testable import DeveloperMenu

/// An "é" of one scalar and an "é" of two are two flags of the menu.
@Suite struct EquivalentKeysTests {
    private static let composed = "caf\u{e9}"
    private static let decomposed = "cafe\u{301}"

    private var menu: MenuDriver { MenuDriver(.snapshot(#"{"caf\u00e9": "1", "cafe\u0301": "2"}"#)) }

    @Test func `clearing all clears both also if one is not listed`() {
        var menu = MenuDriver(.snapshot(#"{"caf\u00e9": "1"}"#))
        menu.store.apply(
            [.set(key: Self.composed, value: "3"), .set(key: Self.decomposed, value: "4")], at: MenuDriver.now)
        #expect(menu.happens(.store(.read(menu.store.table, error: nil))).state.changeCount == 2)
        menu.press("Cy")
        #expect(menu.state.changeCount == 0 && menu.store.table.overrides.isEmpty)
    }

    @Test func `both can be pinned`() {
        var menu = menu
        menu.press("gp")
        let first = menu.state.list.pins
        menu.press("Gp")
        #expect(first.count == 1 && menu.state.list.pins.count == 2)
        #expect(Set(menu.state.list.pins.map { FlagText($0) }).count == 2)
    }

    @Test func `an app that declares both has not taken a value again`() {
        let flags = [(Self.composed, "1"), (Self.decomposed, "2")].map { key, value in
            DeclaredFlag(
                key: key, type: .string, defaultValue: "",
                use: FlagUse(value: value, layer: .remote, since: 5, readAt: 6, wasRead: true))
        }
        let app = RunningApp(id: "a", name: "shop", process: 1, startedAt: 0, flags: flags)
        #expect(AppChange.between([app], [app]).isEmpty)
    }
}
