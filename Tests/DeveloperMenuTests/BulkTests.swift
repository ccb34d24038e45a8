import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu
@testable import FlagQueries

/// Bulk actions: list the changes first, default to no, and undo in one step.
@Suite struct BulkTests {
    @Test func `set listed shows changes and skipped flags`() {
        var menu = MenuDriver(pressing: "Strue<enter>")
        #expect(menu.plan?.lines.first == .init(key: "enable_multiple_locations", before: "false", after: "true"))
        let exceptions = menu.plan?.exceptions.map(\.key) ?? []
        #expect(exceptions.contains("login_variant") && exceptions.contains("maximum_item_count"))
        #expect(menu.missing("left out: ") == [])
        #expect(menu.press("<enter>").saved == [:])
        #expect(menu.message == "Nothing was changed.")
    }

    @Test(arguments: [(80, 24, #""Welcome"}} -> true"#), (40, 10, "{…} -> true")])
    func `old value never cuts the new value`(columns: Int, rows: Int, shown: String) {
        let menu = MenuDriver(columns: columns, rows: rows, pressing: "/login_screen<enter>Strue<enter>")
        #expect(menu.lines.contains { $0.contains(shown) })
    }

    @Test func `long new value wraps`() {
        var menu = MenuDriver(columns: 40, rows: 24)
        let long = "welcome to the shop, dear guest, and stay"
        menu.press("/greeting_text<enter>S\(long)<enter>")
        for word in long.split(separator: " ") { #expect(menu.missing(String(word)) == []) }
        #expect(menu.missing("Hello ->") == [])
    }

    @Test func `smallest screen shows whole sentences`() {
        var menu = MenuDriver(columns: 40, rows: 10, pressing: "Strue<enter>")
        #expect(menu.missing("cannot have the value", "unchanged.") == [])
        #expect(menu.press("G").missing("options.") == [], "the whole reason can be scrolled to")
    }

    @Test func `set changes only filtered flags in one undo step`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"], pressing: "/cat:location<enter>S<down>")
        #expect(menu.lines.contains { $0.contains("an option of 1 of 1 flag") })
        #expect(menu.press("<enter>y").saved == ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        #expect(menu.press("u").saved == ["login_variant": "variant_a"])
    }

    @Test func `value that no flag accepts is rejected and stays in the prompt`() throws {
        var menu = MenuDriver(pressing: "/cat:location<enter>Smaybe<enter>")
        let prompt = try #require(menu.state.sheet(LinePrompt.self))
        let reason = #"enable_multiple_locations: "maybe" is not one of its options."#
        #expect(prompt.error == "None of the flags can have the value. \(reason)")
        #expect(prompt.field.text == "maybe")
        menu.press("<bs>")
        #expect(menu.lines.contains { $0.contains("The value; the list is shown before anything changes.") })
    }

    @Test func `clear listed keeps other overrides`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        #expect(menu.press("/cat:login<enter>Xs").plan?.title == "Reset 1 listed override?")
        #expect(menu.press("y").saved == ["enable_multiple_locations": "true"])
        #expect(menu.message == "Reset 1 override. u undoes it.")
        #expect(menu.press("Xs").message == "No listed flag is overridden.")
    }

    @Test func `fuzzy matches are cleared through a separate list`() {
        let document = #"{"chat_on": "1", "cached_hat": "1", "other": "1"}"#
        var menu = MenuDriver(.snapshot(document), overrides: ["chat_on": "2", "cached_hat": "2", "other": "2"])
        menu.press("/chat<enter>Xs")
        for title in ["Reset 1 listed override?", "Reset 1 override of fuzzy matches?", "Reset 1 listed override?"] {
            #expect(menu.plan?.title == title)
            menu.press("<tab>")
        }
        #expect(menu.press("y").saved == ["chat_on": "2", "other": "2"])
    }

    @Test func `export confirms before replacing a file`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.files["o.json"] = [:]
        #expect(menu.press(":export<enter><enter>").lines.contains { $0.contains("Name a file.") })
        #expect(menu.press("o.json<enter>").files["o.json"] == [:])
        #expect(menu.lines.contains { $0.contains("o.json exists. Enter again replaces it.") })
        #expect(menu.press("<enter>").files["o.json"] == ["login_variant": "variant_a"])
        #expect(menu.message == "1 written to o.json.")
    }

    @Test func `import lists changes first`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.files["i.json"] = ["maximum_item_count": "10"]
        menu.press(":import overrides<enter>x.json<enter>")
        #expect(menu.lines.contains { $0.contains("x.json does not exist.") })
        menu.press("<c-u>i.json<enter>")
        #expect(menu.plan?.lines == [.init(key: "maximum_item_count", before: "42", after: "10")])
        #expect(menu.press("y").saved == ["login_variant": "variant_a", "maximum_item_count": "10"])
        #expect(menu.press("u:replace all<enter>i.json<enter>").plan?.lines.count == 2)
        #expect(menu.press("y").saved == ["maximum_item_count": "10"])
    }

    @Test func `an import lists invalid entries, imports the rest, and adds unknown keys only on request`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "maximum_item_count": "7"])
        menu.files["i.json"] = ["maximum_item_count": "many", "enable_multiple_locations": "true", "nosuch": "1"]
        menu.press(":replace all<enter>i.json<enter>")
        #expect(menu.plan?.exceptions.map(\.key) == ["maximum_item_count", "nosuch"])
        #expect(menu.plan?.lines.map(\.key) == ["enable_multiple_locations", "login_variant"])
        #expect(menu.missing(#"left out: "nosuch" is not a flag."#, "2 entries are left out") == [])
        #expect(menu.state.sheet(BulkDialog.self)?.commands.first?.text?.contains("--skip-invalid") == true)
        #expect(menu.press("<tab>").plan?.lines.map(\.key) == ["enable_multiple_locations", "login_variant", "nosuch"])
        #expect(menu.state.sheet(BulkDialog.self)?.commands.first?.text?.contains("--new --skip-invalid") == true)
        menu.press("<tab>y")
        #expect(
            menu.saved == ["enable_multiple_locations": "true", "maximum_item_count": "7"],
            "an invalid entry does not change its override")
    }

    @Test func `an import without valid entries lists the reasons`() {
        var menu = MenuDriver()
        menu.files["i.json"] = ["maximum_item_count": "many"]
        #expect(menu.press(":import overrides<enter>i.json<enter>").plan?.title == "Nothing to import")
        #expect(!menu.lines.contains { $0.contains("y import") })
        menu.press("y")
        #expect(menu.saved == [:] && menu.message == "Nothing to change any more.")
    }

    // MARK: updates while a dialog is open

    @Test func `set dialog follows external changes`() {
        var menu = MenuDriver(pressing: "/multiple<enter>Strue<enter>")
        #expect(menu.plan?.lines.count == 1)
        #expect(menu.changeElsewhere([.set(key: "enable_multiple_locations", value: "true")]).plan?.lines == [])
        menu.changeElsewhere([.clear(key: "enable_multiple_locations")])
        #expect(menu.plan?.lines == [.init(key: "enable_multiple_locations", before: "false", after: "true")])
        #expect(menu.press("y").saved == ["enable_multiple_locations": "true"])
        #expect(menu.message == "Set 1 flag. u undoes it.")
    }

    @Test func `import dialog follows external changes`() {
        var menu = MenuDriver()
        menu.files["x.json"] = ["enable_multiple_locations": "true", "login_variant": "variant_a"]
        #expect(menu.press(":import overrides<enter>x.json<enter>").plan?.lines.count == 2)
        menu.changeElsewhere([.set(key: "login_variant", value: "variant_a")])
        #expect(menu.plan?.title == "Import 1 change?")
        #expect(menu.press("y").saved == ["enable_multiple_locations": "true", "login_variant": "variant_a"])
    }

    @Test func `open dialog shows activated values`() {
        var menu = MenuDriver(.snapshot(#"{"a": "1"}"#), pressing: "S3<enter>")
        #expect(menu.plan?.lines == [.init(key: "a", before: "1", after: "3")])
        menu.happens(.activated(.snapshot(#"{"a": "2"}"#)))
        #expect(menu.plan?.lines == [.init(key: "a", before: "2", after: "3")])
    }
}

/// Marks: an action on a flag applies to all marked flags.
@Suite struct MarkTests {
    @Test func `space toggles marked flags in one undo step`() {
        var menu = MenuDriver(pressing: "vjv")
        #expect(menu.lines.contains { $0.contains("2 marked") })
        #expect(menu.press("<space>").saved == ["enable_multiple_locations": "true", "login_variant": "variant_a"])
        #expect(menu.state.list.marks.isEmpty)
        #expect(menu.message?.hasPrefix("Toggled 2 flags. u undoes it.") == true)
        #expect(menu.press("u").saved == [:])
    }

    @Test func `range runs from the last mark to the selection`() {
        var menu = MenuDriver(pressing: "GvggV")
        #expect(menu.state.list.marks.keys.count == menu.state.list.flagCount)
        menu.press("<esc>")
        #expect(menu.state.list.marks.isEmpty && menu.message == "No flag is marked now.")
    }

    @Test func `flags that cannot toggle are counted`() {
        let menu = MenuDriver(pressing: "vGv<space>")
        #expect(menu.message?.contains("Toggled 1 flag. 1 unchanged.") == true, "\(menu.message ?? "")")
    }

    @Test func `set applies to marks that the filter hides`() {
        var menu = MenuDriver(pressing: "v/login<enter>Strue<enter>")
        #expect(menu.lines.contains { $0.contains("Set 1 flag to \"true\"?") })
        #expect(menu.press("y").saved == ["enable_multiple_locations": "true"])
    }

    @Test func `clear marked keeps other overrides`() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true", "login_variant": "variant_a"])
        #expect(menu.press("vx").saved == ["login_variant": "variant_a"])
        #expect(menu.press("ggvx").message == "No marked flag is overridden.")
    }
}

/// Bulk actions match contiguous text, not scattered letters.
@Suite struct LiteralBulkTests {
    private static let document = #"""
        {"chat_enabled": "true", "child_safety_alert_text": "true", "chat_limit": "true",
         "config_categories": [{"category": "C", "items": [{"key": "chat_enabled", "value": "true|false"},
           {"key": "child_safety_alert_text", "value": "true|false"}, {"key": "chat_limit", "value": "true|false"}]}]}
        """#

    @Test func `set lists only literal matches`() {
        var menu = MenuDriver(.snapshot(Self.document), pressing: "/chat<enter>")
        #expect(menu.listedKeys.contains("child_safety_alert_text"), "a fuzzy match is listed")
        #expect(menu.press("Sfalse<enter>").plan?.lines.map(\.key).sorted() == ["chat_enabled", "chat_limit"])
        #expect(menu.missing("1 fuzzy match is not included") == [])
        #expect(menu.press("<tab>").plan?.lines.map(\.key) == ["child_safety_alert_text"])
        menu.press("<tab>y")
        #expect(Set(menu.saved.keys) == ["chat_enabled", "chat_limit"])
    }

    @Test func `set skips flags that have the value`() {
        var menu = MenuDriver(.snapshot(Self.document), overrides: ["chat_limit": "false"])
        menu.press("/chat<enter>Sfalse<enter>")
        #expect(menu.plan?.lines.map(\.key) == ["chat_enabled"] && menu.plan?.unchanged == ["chat_limit"])
        let outcome = "They keep the value until it is reset. 1 other already has the value."
        #expect(menu.plan?.outcome == outcome)
    }

    @Test func `set is rejected with only fuzzy matches`() {
        let menu = MenuDriver(.snapshot(Self.document), pressing: "/csat<enter>S")
        #expect(menu.state.mode == .list)
        #expect(menu.message?.hasPrefix("No flag contains \"csat\"; 1 flag matches only fuzzily.") == true)
    }
}
