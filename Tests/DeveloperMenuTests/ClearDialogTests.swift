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

    @Test func `clear all lists overrides and the restored values`() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true", "gone_key": "7"])
        #expect(menu.effects(of: "C") == [])
        #expect(
            menu.plan?.lines == [
                .init(key: "enable_multiple_locations", before: "true", after: "false"),
                .init(key: "gone_key", before: "7", after: nil),
            ])
        #expect(menu.missing("Reset 2 overrides?", "true -> false", "7 -> not set") == [])
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
        #expect(menu.plan != nil)
    }

    @Test func `yes restores remote values and undo the overrides`() {
        let overrides = ["enable_multiple_locations": "true", "login_variant": "variant_b", "long_gone": "1"]
        var menu = MenuDriver(overrides: overrides)
        #expect(menu.lines[0].contains("3 changed"))
        menu.press("Cy")
        #expect(menu.saved == [:] && menu.state.changeCount == 0)
        #expect(menu.lines[0].contains("nothing changed"))
        #expect(menu.value("login_variant") == "control")
        #expect(menu.listedKeys.count == 5, "the unlisted flag disappears with its override")
        #expect(menu.press("u").saved == overrides)
    }

    /// An override set while the dialog is open is not part of it.
    @Test func `yes clears only listed overrides`() {
        var menu = MenuDriver(overrides: Self.three, pressing: "C")
        #expect(menu.changeElsewhere([.set(key: "maximum_item_count", value: "10")]).plan?.lines.count == 3)
        #expect(menu.press("y").saved == ["maximum_item_count": "10"])
    }

    /// The list and the count stay current.
    @Test func `list follows external changes`() {
        var menu = MenuDriver(overrides: Self.three, pressing: "C")
        let edits = [OverrideEdit.clear(key: "login_screen"), .set(key: "login_variant", value: "variant_b")]
        menu.changeElsewhere(edits)
        #expect(
            menu.plan?.lines == [
                .init(key: "enable_multiple_locations", before: "true", after: "false"),
                .init(key: "login_variant", before: "variant_b", after: "control"),
            ])
        #expect(menu.lines.contains { $0.contains("Reset 2 overrides?") })
        let cleared = ["enable_multiple_locations", "login_variant"].map { OverrideEdit.clear(key: $0) }
        let save = Effect.saveOverrides(id: 1, edits: cleared, label: "reset 2 overrides")
        #expect(menu.effects(of: "y").contains(save))
        #expect(menu.message == "Reset 2 overrides. u undoes it.")
    }

    @Test func `override set again stays listed`() {
        var menu = MenuDriver(overrides: Self.three, pressing: "C")
        for edit in [OverrideEdit.clear(key: "login_variant"), .set(key: "login_variant", value: "variant_b")] {
            menu.changeElsewhere([edit])
        }
        #expect(menu.plan?.lines.count == 3)
    }

    @Test func `yes does nothing if no override is left`() {
        var menu = MenuDriver(overrides: Self.three, pressing: "C")
        #expect(menu.changeElsewhere([.clearAll]).lines.contains { $0.contains("Reset 0 overrides?") })
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
        let edits: [OverrideEdit] = [.clear(key: "a"), .clear(key: "b")]
        let save = Effect.saveOverrides(id: 1, edits: edits, label: "reset 2 overrides")
        #expect(state.reduce(.key(.character("y")), at: MenuDriver.now) == [save])
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

    @Test(arguments: [
        (
            three, "<tab>Xc", "Reset 2 overrides in Login?", ["enable_multiple_locations": "true"],
            "flagmenu reset --category Login --yes"
        ),
        (
            ["gone_a": "1", "gone_b": "2", "login_variant": "variant_a"], "GXc", "Reset 2 overrides in Not listed?",
            ["login_variant": "variant_a"], "flagmenu reset gone_a gone_b"
        ),
    ])
    func `several overrides of a category open a dialog`(
        overrides: [String: String], keys: String, title: String, saved: [String: String], command: String
    ) {
        var menu = MenuDriver(overrides: overrides, pressing: keys)
        #expect(menu.missing(title) == [])
        #expect(menu.press("y").saved == saved)
        #expect(ShellCommand.text(menu.state.lastCommands) == command)
    }

    // MARK: a long list

    private static var long: MenuDriver {
        let overrides = (0..<60).map { ("flag_\($0 / 10)\($0 % 10)", "1") }
        let menu = MenuDriver(overrides: Dictionary(uniqueKeysWithValues: overrides), pressing: "C")
        return menu
    }

    @Test func `list stops scrolling at its end`() {
        var menu = Self.long
        #expect(menu.missing("flag_00", "more below") == [])
        for _ in 0..<100 { menu.press("j") }
        #expect(menu.missing("flag_59", "more below") == ["more below"])
        let shown = menu.lines.count { $0.contains("flag_") }
        #expect(shown > 10, "the end of the list fills the sheet: \(shown) lines")
        #expect(!menu.press("k").lines.contains { $0.contains("flag_59") }, "one press scrolls back by one line")
    }

    @Test(arguments: [("G", "g"), ("<end>", "<home>")])
    func `keys jump to the end and the start`(end: String, start: String) {
        var menu = Self.long
        #expect(menu.press(end).lines.contains { $0.contains("flag_59") })
        menu.press(start)
        #expect(menu.lines.contains { $0.contains("flag_00") } && menu.plan != nil)
    }

    @Test func `smallest screen marks hidden lines`() {
        let overrides = (0..<9).map { ("flag_\($0)", "1") }
        var menu = MenuDriver(columns: 40, rows: 10, overrides: Dictionary(uniqueKeysWithValues: overrides))
        #expect(menu.press("C").lines.contains { $0.hasSuffix("↓") })
        menu.press("G")
        #expect(menu.lines.contains { $0.hasSuffix("↑") } && !menu.lines.contains { $0.hasSuffix("↓") })
    }
}
