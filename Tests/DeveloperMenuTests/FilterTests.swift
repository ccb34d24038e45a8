import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The filter line: editing, matches and selection.
@Suite struct FilterTests {
    /// The state of a bool is found in every spelling, and with its override.
    @Test func `on and off find bools`() {
        let values = #"{"a": true, "b": "no", "c": "yes", "d": "on", "e": "off", "f": 1, "g": "0", "h": "false"}"#
        var menu = MenuDriver(.snapshot(values), overrides: ["h": "true"], pressing: "/is:on")
        #expect(menu.listedKeys == ["a", "h"], "yes and on are texts without a declared type")
        #expect(menu.press("<c-u>is:off").listedKeys == [])
        let catalog = #"[{"category": "C", "items": [{"key": "b", "type": "bool"}, {"key": "c", "type": "bool"}]}]"#
        var typed = MenuDriver(.snapshot(#"{"b": "no", "c": "Y", "config_categories": \#(catalog)}"#))
        typed.press("/is:off")
        #expect(typed.listedKeys == ["b"])
        #expect(typed.lines.contains { $0.contains("○  b  no") }, "as it is stored")
        typed.press("<c-u>is:on")
        #expect(typed.listedKeys == ["c"])
        typed.press("<c-u>no")
        #expect(typed.listedKeys.contains("b"), "the text that the list shows is found")
    }

    /// A variant is shown by its name, and found by its name and by its value.
    @Test func `the name of a variant is shown and found`() {
        let flagd = #"""
            {"flags": {
              "size": {"state": "ENABLED", "variants": {"small": 1, "big": 10}, "defaultVariant": "big"},
              "theme": {"state": "ENABLED", "variants": {"enabled": true, "disabled": false},
                        "defaultVariant": "disabled"}}}
            """#
        var menu = MenuDriver(.snapshot(flagd))
        #expect(menu.lines.contains { $0.contains("theme  disabled") })
        for (filter, key) in [("big", "size"), ("10", "size"), ("disabled", "theme"), ("false", "theme")] {
            #expect(menu.press("/<c-u>\(filter)<enter>").listedKeys == [key], "\(filter)")
        }
        var changed = MenuDriver(.snapshot(flagd), overrides: ["theme": "true"])
        #expect(changed.lines.contains { $0.contains("theme  enabled ") && $0.contains("was disabled") })
        changed.press("/enabled")
        #expect(changed.listedKeys == ["theme"])
    }

    @Test func `enter applies the filter and escape clears it, and the selection stays`() {
        var menu = MenuDriver(pressing: "/max<enter>")
        #expect(menu.state.mode == .list)
        #expect(menu.listedKeys == ["maximum_item_count"])
        #expect(menu.lines[1].contains("1 of 5"))
        for keys in ["<esc>", "/max<esc>"] {
            menu.press(keys)
            #expect(menu.listedKeys.count == 5 && menu.state.list.filter.text == "")
            #expect(menu.selectedKey == "maximum_item_count")
        }
    }

    @Test func `filter without match selects nothing until escape`() {
        var menu = MenuDriver(pressing: "jj/zzz")
        #expect(menu.selectedKey == nil)
        #expect(menu.press("<esc>").selectedKey == "login_variant")
    }

    @Test func `no match message is shown during a fetch`() {
        var menu = MenuDriver(pressing: "/zzz<enter>")
        #expect(menu.happens(.remote(.fetchStarted(id: 0))).lines.contains { $0.contains("No flag matches.") })
    }

    @Test func `command letters are typed as text`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "/qxCXu mfa?jk") == [])
        #expect(menu.state.list.filter.text == "qxCXu mfa?jk")
        #expect(menu.state.mode == .filter)
    }

    @Test func `filter line can be edited`() {
        var menu = MenuDriver(pressing: "/one two<c-w><c-a>x<c-e>!")
        #expect(menu.state.list.filter.text == "xone !")
        #expect(menu.press("<c-u><paste:max{nl}item>").state.list.filter.text == "max item")
        #expect(menu.selectedKey == "maximum_item_count")
    }

    @Test func `arrows move among matches while typing`() {
        var menu = MenuDriver(pressing: "/login<down>")
        #expect(menu.selectedKey == menu.listedKeys[1])
        menu.press("<up>")
        #expect(menu.selectedKey == menu.listedKeys[0])
        #expect(menu.state.mode == .filter)
    }

    @Test func `next and previous match wrap around`() {
        var menu = MenuDriver(pressing: "/login<enter>")
        let keys = menu.listedKeys
        #expect(keys.count == 2)
        for (key, index) in [("n", 1), ("n", 0), ("N", 1), ("N", 0)] {
            #expect(menu.press(key).selectedKey == keys[index])
        }
    }

    @Test(arguments: ["n", "N"])
    func `next match without a filter shows a message`(key: String) {
        #expect(MenuDriver(pressing: key).message == "There is no filter. / starts one.")
    }

    @Test func `filter combines with overridden only`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "maximum_item_count": "10"])
        #expect(menu.press("m/login").listedKeys == ["login_variant"])
        #expect(menu.press("<enter><esc>").listedKeys.count == 5)
        #expect(!menu.state.list.showsChangesOnly)
    }

    @Test func `overridden only lists all overrides, whatever the filter was`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "maximum_item_count": "10"])
        menu.press("/login<enter>")
        let command = menu.state.commands(for: .showOverriddenOnly)
        #expect(command.map(\.text) == ["flagmenu list --overridden"])
        #expect(menu.press("m").listedKeys == ["login_variant", "maximum_item_count"])
        #expect(menu.press("/login<enter>m").listedKeys.count == 5, "again, it lists everything")
    }

    @Test(arguments: ["/", "?"])
    func `filter is cut at the maximum length`(key: String) {
        var menu = MenuDriver(pressing: key)
        menu.happens(.key(.paste(String(repeating: "a bc dx ", count: 20_000))))
        #expect(menu.message == "A filter has at most 200 characters; the rest was left out.")
        let filter = menu.state.sheet(ActionSheet.self)?.filter ?? menu.state.list.filter
        #expect(filter.text == String(repeating: "a bc dx ", count: 25))
        #expect(menu.press("<bs>y").message == nil)
    }

    @Test func `a new filter replaces the kept one`() {
        var menu = MenuDriver(pressing: "/login<enter>/m")
        #expect(menu.state.list.filter.text == "m")
        #expect(menu.press("<enter>/<right>x").state.list.filter.text == "mx", "a movement keeps the text")
        #expect(menu.press("<enter>/<bs>").state.list.filter.text == "")
    }

    @Test func `tab toggles without leaving the filter`() {
        var menu = MenuDriver(pressing: "/multi")
        #expect(menu.lines[23].contains("tab toggle"))
        #expect(menu.press("<tab>").saved == ["enable_multiple_locations": "true"])
        #expect(menu.state.mode == .filter && menu.state.list.filter.text == "multi")
        menu.press("<tab>")
        #expect(menu.saved == [:] && menu.state.mode == .filter)
    }

    @Test func `alt moves by words and means escape in the list`() {
        var menu = MenuDriver(pressing: "/multi loc<a-b>")
        #expect(menu.state.list.filter.cursor == 6)
        #expect(menu.press("<a-b><a-f>").state.list.filter.cursor == 5)
        #expect(menu.state.mode == .filter)
        menu.press("<enter>")
        menu.press("<a-f>")
        #expect(menu.state.list.filter.text == "" && menu.effects.contains(.fetchRemote(id: 1)), "Alt-f is Esc, then f")
    }
}
