import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The option list of one flag, and external changes while it is open.
@Suite struct OptionListTests {
    private static let key = "login_variant"

    /// A menu with the option list of `login_variant` open: control (remote), variant_a, variant_b.
    private static func opened(overrides: [String: String] = [:], pressing keys: String = "") -> MenuDriver {
        MenuDriver(overrides: overrides, pressing: "/variant<enter><enter>\(keys)")
    }

    private func selected(_ menu: MenuDriver) -> String? {
        menu.state.sheet(OptionList.self).map { menu.state.facts(of: $0.key).choices[$0.selection].value }
    }

    @Test func `opens on the effective value`() {
        #expect(selected(Self.opened()) == "control")
        #expect(selected(Self.opened(overrides: [Self.key: "variant_b"])) == "variant_b")
    }

    @Test(arguments: [
        ("j", "variant_a"), ("jj", "variant_b"), ("jjj", "variant_b"), ("k", "control"), ("G", "variant_b"),
        ("Gk", "variant_a"), ("Gg", "control"), ("<end><home><down>", "variant_a"), ("<c-n><c-n><c-p>", "variant_a"),
    ])
    func moves(keys: String, value: String) {
        let menu = Self.opened(pressing: keys)
        #expect(selected(menu) == value)
        #expect(menu.saved == [:])
    }

    @Test(arguments: ["jj<enter>", "jj<space>", "3"])
    func choosing(keys: String) {
        var menu = Self.opened()
        let edit = OverrideEdit.set(key: Self.key, value: "variant_b")
        #expect(menu.effects(of: keys) == [.saveOverrides(id: 1, edits: [edit], label: "set \(Self.key)")])
        #expect(menu.state.mode == .list)
        #expect(menu.selectedKey == Self.key)
    }

    /// Until the user moves, the selection follows the value in use, so that Enter changes nothing.
    @Test func `an untouched list sets nothing`() {
        var menu = Self.opened()
        menu.changeElsewhere([.set(key: Self.key, value: "variant_a")])
        #expect(selected(menu) == "variant_a")
        #expect(menu.press("<enter>").saved == [Self.key: "variant_a"])
    }

    /// Help over a list whose last choice disappears: the list behind has a selection that is not there any more.
    @Test func `help over a list that loses a choice`() {
        var menu = Self.opened(overrides: [Self.key: "other"], pressing: "<f1>")
        #expect(!menu.happens(.store(.read(OverrideTable(revision: 9), error: nil))).lines.joined().isEmpty)
        menu.press("<esc>")
        #expect(selected(menu) == "control")
    }

    @Test(arguments: [("4", "There are only 3."), ("9", "There are only 3."), ("0", nil), ("z", nil)])
    func `key without an option changes nothing`(key: String, message: String?) {
        var menu = Self.opened()
        #expect(menu.effects(of: key) == [])
        #expect(menu.message == message)
        #expect(selected(menu) == "control")
    }

    /// An override with the remote value is not the same as no override, and never set by the way.
    @Test func `the remote value is an override only if the user keeps it`() {
        var menu = Self.opened(pressing: "<enter>")
        #expect(menu.saved.isEmpty && menu.state.mode == .list)
        #expect(menu.press("K").saved == [Self.key: "control"])
        #expect(menu.state.selected?.state == .sameAsRemote)
        #expect(menu.effects(of: "K") == [] && menu.message?.contains("is overridden already") == true)
    }

    @Test func `x clears the override`() {
        var menu = Self.opened(overrides: [Self.key: "variant_a"])
        let effects = menu.effects(of: "x")
        #expect(effects == [.saveOverrides(id: 1, edits: [.clear(key: Self.key)], label: "reset \(Self.key)")])
        #expect(menu.state.mode == .list)
        #expect(menu.press("<enter>x").message == "Login variant is not overridden.")
        #expect(selected(menu) == "control", "the list stays open")
    }

    @Test(arguments: ["<esc>", "q"])
    func `closing changes nothing`(key: String) {
        var menu = Self.opened()
        #expect(menu.effects(of: "j\(key)") == [])
        #expect(menu.state.mode == .list)
        #expect(menu.state.ending == nil)
    }

    // MARK: changes made elsewhere

    @Test func `external change moves the check mark but not the selection`() {
        var menu = Self.opened(pressing: "j")
        menu.changeElsewhere([.set(key: Self.key, value: "variant_b")])
        #expect(selected(menu) == "variant_a")
        #expect(menu.lines.contains { $0.contains("✓ 3  variant_b") })
        #expect(menu.press("<enter>").saved == [Self.key: "variant_a"])
    }

    /// Enter chooses the option that is shown as selected, never a removed one.
    @Test func `removed option is not chosen`() {
        var menu = Self.opened(pressing: "jj")
        menu.happens(.activated(.oneFlag(Self.key, value: "control", options: "control|variant_c")))
        #expect(selected(menu) == "control")
        let shown = menu.textAtCursor
        #expect(shown?.contains("control") == true, "\(shown ?? "no cursor")")
        menu.press("<enter>")
        #expect(menu.saved.isEmpty && menu.message?.hasSuffix("was not changed.") == true)
    }

    @Test func `list closes if all options are removed`() {
        var menu = Self.opened()
        #expect(menu.happens(.activated(.snapshot(#"{"other": "1"}"#))).state.mode == .list)
        #expect(menu.message == "login_variant no longer has options.")
        #expect(menu.press("<esc>").selectedKey == "other")
    }

    /// In the list of overridden flags, the override is cleared elsewhere; keys still apply to the flag of the sheet.
    @Test func `keys apply to the sheets flag after its override is cleared`() {
        var menu = MenuDriver(overrides: [Self.key: "variant_a", "maximum_item_count": "10"], pressing: "m<enter>")
        #expect(menu.changeElsewhere([.clear(key: Self.key)]).selectedKey == Self.key, "the selected flag stays listed")
        #expect(menu.effects(of: "x") == [])
        #expect(menu.message == "Login variant is not overridden.")
        #expect(menu.press("3").saved == [Self.key: "variant_b", "maximum_item_count": "10"])
    }

    // MARK: content

    @Test func `effective value outside the options is listed`() {
        var menu = Self.opened(overrides: [Self.key: "variant_x"])
        #expect(selected(menu) == "variant_x")
        #expect(menu.lines.contains { $0.contains("4  variant_x  now, not among the options") })
        #expect(menu.press("1").saved == [Self.key: "control"])
    }

    @Test func `value outside the options needs confirmation`() {
        var menu = Self.opened()
        #expect(menu.effects(of: "e<c-u>purple<enter>") == [])
        #expect(menu.state.mode.part == OtherValueDialog.part)
        let warning = "\"purple\" is not one of the 3 options. Apps may not know it."
        #expect(menu.missing(warning, "Options: control, variant_a, variant_b") == [])
        #expect(menu.press("y").saved == [Self.key: "purple"])
        #expect(menu.state.selected?.state == .stale(#""purple" is not one of the options"#))
        #expect(menu.press("u").saved == [:])
    }

    @Test(arguments: ["<enter>", "n", "<esc>", "q"])
    func `any key but y returns to the typed text`(key: String) throws {
        var menu = Self.opened()
        #expect(menu.effects(of: "e<c-u>purple<enter>\(key)") == [])
        let editor = try #require(menu.state.sheet(ValueEditor.self))
        #expect(editor.text == "purple")
        #expect(menu.press("<c-u>variant_a<enter>").saved == [Self.key: "variant_a"])
    }

    /// A bool has two values, whether or not the catalog lists them.
    @Test func `bool without options can be toggled and chosen`() {
        var menu = MenuDriver(.snapshot(#"{"b": "off", \#(RemoteSnapshot.catalog("b", #""type": "bool""#))}"#))
        #expect(menu.press(" ").saved == ["b": "true"])
        #expect(menu.press(" ").saved == [:], "off is the remote value, so no override is set")
        #expect(menu.press("<enter>1").saved == ["b": "true"])
    }

    @Test func `bool without a catalog can be toggled`() {
        let menu = MenuDriver(.snapshot(#"{"alpha": true, "beta": "false"}"#), pressing: " j ")
        #expect(menu.saved == ["alpha": "false", "beta": "true"])
    }

    /// The values of a template are examples, so other values are allowed.
    @Test func `template flag accepts other values`() {
        var menu = MenuDriver(
            .snapshot(
                #"""
                {"conditions": [{"name": "ios", "expression": "true"}], "parameters": {"limit": {
                  "defaultValue": {"value": "10"}, "conditionalValues": {"ios": {"value": "20"}},
                  "valueType": "NUMBER"}}}
                """#))
        #expect(menu.press("<enter>e<c-u>33<enter>").saved == ["limit": "33"])
    }

    /// A bool with both options has no other value.
    @Test func `other value is offered only if possible`() {
        var menu = MenuDriver(pressing: "<enter>")
        #expect(!menu.lines[23].contains("other value"))
        #expect(menu.press("e").state.mode.part == OptionList.part)
        #expect(menu.message == "Multiple locations is true or false; there is no other value.")
        #expect(menu.press("<esc>/variant<enter><enter>").lines[23].contains("e other value"))
        let half = RemoteSnapshot.catalog("half", #""value": "true|yes", "type": "bool""#)
        let menuWithoutOff = MenuDriver(.snapshot(#"{"half": "true", \#(half)}"#), pressing: "<enter>e")
        #expect(menuWithoutOff.state.mode.part == .editor, "off is not an option, so the editor opens")
    }
}
