import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu
@testable import FlagQueries

/// Clearing several overrides: the dialog lists them first and defaults to no.
@Suite struct ClearDialogTests {
    private static let three = [
        "enable_multiple_locations": "true", "login_variant": "variant_a", "login_screen": "{}",
    ]

    private func dialog(_ menu: MenuDriver) -> BulkDialog? {
        menu.state.sheet(BulkDialog.self)
    }

    @Test func `clear all lists overrides and the restored values`() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true", "gone_key": "7"])
        #expect(menu.effects(of: "C") == [])
        #expect(
            dialog(menu)?.plan.lines == [
                .init(key: "enable_multiple_locations", before: "true", after: "false"),
                .init(key: "gone_key", before: "7", after: nil),
            ])
        #expect(menu.lines.contains { $0.contains("Reset 2 overrides?") })
        #expect(menu.lines.contains { $0.contains("true -> false") })
        #expect(menu.lines.contains { $0.contains("7 -> not set") })
    }

    @Test(arguments: ["n", "<esc>", "q", "<enter>"])
    func `any response but yes keeps the overrides`(key: String) {
        var menu = MenuDriver(overrides: Self.three)
        #expect(menu.effects(of: "C\(key)") == [])
        #expect(menu.saved == Self.three)
        #expect(menu.message == "Nothing was changed.")
        #expect(menu.state.ending == nil)
    }

    @Test(arguments: [" ", "Y", "x", "C", "<paste:y>", "<f2>"])
    func `other keys leave the dialog open`(key: String) {
        var menu = MenuDriver(overrides: Self.three)
        #expect(menu.effects(of: "C\(key)") == [])
        #expect(dialog(menu) != nil)
    }

    @Test func `yes clears and undo restores`() {
        var menu = MenuDriver(overrides: Self.three)
        menu.press("Cy")
        #expect(menu.saved == [:])
        #expect(menu.state.changeCount == 0)
        menu.press("u")
        #expect(menu.saved == Self.three)
    }

    /// An override set while the dialog is open is not part of it.
    @Test func `yes clears only listed overrides`() {
        var menu = MenuDriver(overrides: Self.three)
        menu.press("C")
        menu.store.apply([.set(key: "maximum_item_count", value: "10")], at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(dialog(menu)?.plan.lines.count == 3)
        menu.press("y")
        #expect(menu.saved == ["maximum_item_count": "10"])
    }

    /// The list and the count stay current.
    @Test func `list follows external changes`() {
        var menu = MenuDriver(overrides: Self.three)
        menu.press("C")
        let edits = [OverrideEdit.clear(key: "login_screen"), .set(key: "login_variant", value: "variant_b")]
        menu.store.apply(edits, at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(
            dialog(menu)?.plan.lines == [
                .init(key: "enable_multiple_locations", before: "true", after: "false"),
                .init(key: "login_variant", before: "variant_b", after: "control"),
            ])
        #expect(menu.lines.contains { $0.contains("Reset 2 overrides?") })
        #expect(
            menu.effects(of: "y").contains(
                .saveOverrides(
                    id: 1, edits: [.clear(key: "enable_multiple_locations"), .clear(key: "login_variant")],
                    label: "reset 2 overrides")))
        #expect(menu.message == "Reset 2 overrides. u undoes it.")
    }

    @Test func `override set again stays listed`() {
        var menu = MenuDriver(overrides: Self.three)
        menu.press("C")
        for edit in [OverrideEdit.clear(key: "login_variant"), .set(key: "login_variant", value: "variant_b")] {
            menu.store.apply([edit], at: MenuDriver.now)
            menu.happens(.store(.read(menu.store.table, error: nil)))
        }
        #expect(dialog(menu)?.plan.lines.count == 3)
    }

    @Test func `yes does nothing if no override is left`() {
        var menu = MenuDriver(overrides: Self.three)
        menu.press("C")
        menu.store.apply([.clearAll], at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        #expect(menu.lines.contains { $0.contains("Reset 0 overrides?") })
        #expect(menu.effects(of: "y") == [])
        #expect(menu.message == "Nothing to change any more.")
    }

    /// Without a readable source no flags are listed, but the overrides exist.
    @Test func `clear all lists overrides without a source`() {
        let target = MenuTarget(app: "shop", source: "shop.json")
        var state = MenuState(target: target, size: Size(columns: 80, rows: 24), now: MenuDriver.now)
        let table = OverrideTable(
            revision: 1, overrides: ["b": FlagOverride(value: "2"), "a": FlagOverride(value: "1")])
        _ = state.reduce(.store(.read(table, error: nil)), at: MenuDriver.now)
        _ = state.reduce(.remote(.fetchFailed(id: 0, errors: ["shop.json: no such file."])), at: MenuDriver.now)
        _ = state.reduce(.key(.character("C")), at: MenuDriver.now)
        guard let dialog = state.sheet(BulkDialog.self) else {
            Issue.record("no dialog was shown")
            return
        }
        #expect(dialog.plan.lines.map(\.key) == ["a", "b"])
        let effects = state.reduce(.key(.character("y")), at: MenuDriver.now)
        #expect(
            effects == [
                .saveOverrides(id: 1, edits: [.clear(key: "a"), .clear(key: "b")], label: "reset 2 overrides")
            ])
    }

    @Test func `without overrides no dialog opens`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "C") == [])
        #expect(menu.message == "Nothing is overridden.")
        #expect(menu.effects(of: "X") == [])
        #expect(menu.message == "Nothing is overridden." && menu.state.mode == .list)
        var other = MenuDriver(overrides: ["login_variant": "variant_a"])
        #expect(other.effects(of: "gXc") == [])
        #expect(other.message == "Nothing in this category is overridden.")
    }

    // MARK: one category

    @Test func `several overrides of a category open a dialog`() {
        var menu = MenuDriver(overrides: Self.three)
        menu.press("<tab>Xc")
        #expect(menu.lines.contains { $0.contains("Reset 2 overrides in Login?") })
        menu.press("y")
        #expect(menu.saved == ["enable_multiple_locations": "true"])
    }

    @Test func `unlisted overrides are a category`() {
        var menu = MenuDriver(overrides: ["gone_a": "1", "gone_b": "2", "login_variant": "variant_a"])
        menu.press("GXc")
        #expect(menu.lines.contains { $0.contains("Reset 2 overrides in Not listed?") })
        menu.press("y")
        #expect(menu.saved == ["login_variant": "variant_a"])
    }

    // MARK: a long list

    private static var long: MenuDriver {
        let overrides = (0..<60).map { ("flag_\($0 / 10)\($0 % 10)", "1") }
        var menu = MenuDriver(overrides: Dictionary(uniqueKeysWithValues: overrides))
        menu.press("C")
        return menu
    }

    @Test func `list stops scrolling at its end`() {
        var menu = Self.long
        #expect(menu.lines.contains { $0.contains("flag_00") })
        #expect(menu.lines.contains { $0.contains("more below") })
        for _ in 0..<100 { menu.press("j") }
        #expect(menu.lines.contains { $0.contains("flag_59") })
        #expect(!menu.lines.contains { $0.contains("more below") })
        let shown = menu.lines.count { $0.contains("flag_") }
        #expect(shown > 10, "the end of the list fills the sheet: \(shown) lines")
        menu.press("k")
        #expect(!menu.lines.contains { $0.contains("flag_59") }, "one press scrolls back by one line")
    }

    @Test(arguments: [("G", "g"), ("<end>", "<home>")])
    func `keys jump to the end and the start`(end: String, start: String) {
        var menu = Self.long
        menu.press(end)
        #expect(menu.lines.contains { $0.contains("flag_59") })
        menu.press(start)
        #expect(menu.lines.contains { $0.contains("flag_00") } && dialog(menu) != nil)
    }

    @Test func `smallest screen marks hidden lines`() {
        let overrides = (0..<9).map { ("flag_\($0)", "1") }
        var menu = MenuDriver(columns: 40, rows: 10, overrides: Dictionary(uniqueKeysWithValues: overrides))
        menu.press("C")
        #expect(menu.lines.contains { $0.hasSuffix("↓") })
        menu.press("G")
        #expect(menu.lines.contains { $0.hasSuffix("↑") } && !menu.lines.contains { $0.hasSuffix("↓") })
    }

    @Test func `undo and redo show different messages`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.press("u")
        #expect(menu.message?.hasPrefix("Undone: login_variant: ") == true, "\(menu.message ?? "")")
        menu.press("<c-r>")
        #expect(menu.message?.hasPrefix("Redone: login_variant: ") == true, "\(menu.message ?? "")")
    }
}
