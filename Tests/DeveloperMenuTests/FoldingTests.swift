import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Groups that are folded, and groups by prefix.
@Suite struct FoldingTests {
    @Test func `left folds the group and right unfolds it`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "j<left>") == [])
        #expect(menu.listedKeys == ["enable_multiple_locations", "maximum_item_count", "greeting_text"])
        #expect(menu.textAtCursor?.hasPrefix(">▸ Login") == true)
        #expect(menu.textAtCursor?.hasSuffix("2 flags") == true)
        #expect(menu.selectedKey == nil)
        menu.press("<right>")
        #expect(menu.selectedKey == "login_screen" && menu.listedKeys.count == 5)
        #expect(menu.press("<left><enter>").selectedKey == "login_screen", "Enter unfolds, too")
    }

    /// The heading of an open group is never in the way of the arrows.
    @Test func `only a folded heading is selected`() {
        var menu = MenuDriver(pressing: "j<left>k")
        #expect(menu.selectedKey == "enable_multiple_locations")
        #expect(menu.press("j").selectedKey == nil)
        #expect(menu.press("j").selectedKey == "maximum_item_count")
    }

    @Test func `actions on a flag say that a heading is selected`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_b"])
        #expect(menu.effects(of: "j<left> ") == [])
        #expect(menu.message == "This is a folded group. \(menu.state.keyWord(of: "unfold")) unfolds it.")
        #expect(menu.effects(of: "x") == [] && menu.effects(of: "<left>") == [])
        #expect(menu.message == "It is folded.")
        #expect(menu.press("/lo<enter><left>").message == "Only the whole list can be folded. Esc shows all flags.")
    }

    /// What is folded is not shown, so that a bulk action does not change it.
    @Test func `folded flags are not shown`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_b", "greeting_text": "Hi"], pressing: "j<left>Xs")
        #expect(menu.text.contains("greeting_text") && !menu.text.contains("login_variant"))
        menu.press("<esc>Xc")
        #expect(menu.text.contains("login_variant"), "the category of a folded heading is this category")
    }

    @Test func `setting what is shown says that folded flags are left out`() {
        let menu = MenuDriver(pressing: "j<left>S")
        #expect(menu.text.contains("Set 3 flags to") && menu.text.contains("2 folded flags are left out."))
    }

    @Test func `filter and history find what is folded`() {
        var menu = MenuDriver(pressing: "j<left>/variant")
        #expect(menu.listedKeys == ["login_variant"])
        menu.press("<enter> <esc>")
        #expect(menu.selectedKey == "login_variant" || menu.state.list.folded == ["Login"])
        menu.press("H<enter>")
        #expect(menu.selectedKey == "login_variant" && menu.state.list.folded.isEmpty)
    }

    /// A filter that is left selects the folded group in which the found flag is, or the one that was selected before.
    @Test(arguments: ["/zzzq<esc>", "/variant<enter><esc>"])
    func `filter that is left selects the folded group`(keys: String) {
        let menu = MenuDriver(pressing: "j<left>\(keys)")
        #expect(menu.state.list.selectedGroup == .category(1) && menu.listedKeys.count == 3)
    }

    @Test func `notice counts folded flags`() {
        #expect(MenuDriver(pressing: "j<left>o").lines[1].hasSuffix("changed first, 2 of 5 folded"))
    }

    @Test func `folding is restored`() {
        let menu = MenuDriver(pressing: "j<left>")
        #expect(menu.state.session.folded == ["Login"])
        var other = MenuDriver()
        other.happens(.settings(.sessionRestored(menu.state.session)))
        #expect(other.listedKeys == menu.listedKeys)
    }

    @Test func `click on a heading folds and unfolds`() {
        var menu = MenuDriver(pressing: "<c-t>")
        let row = menu.lines.firstIndex { $0.hasPrefix(" Login") }
        let heading = Position(row: row ?? 0, column: 3)
        #expect(menu.happens(.key(.mouse(MousePress(.press, at: heading)))).listedKeys.count == 3)
        #expect(menu.happens(.key(.mouse(MousePress(.press, at: heading)))).listedKeys.count == 5)
    }

    // MARK: groups by prefix

    /// A document with one category of this many flags, and a second one.
    private static func document(_ count: Int, others: Int = 0) -> RemoteSnapshot {
        let items = (0..<count).map { #"{"key": "\#(["ads.", "berean_", "x-"][$0 % 3])flag_\#($0)", "value": "1|2"}"# }
        let rest = (0..<others).map { #"{"category": "Rest \#($0 / 30)", "items": [{"key": "other\#($0)"}]}"# }
        return .snapshot(
            #"[{"category": "Parameters", "items": [\#(items.joined(separator: ","))]}"#
                + rest.map { ",\($0)" }.joined() + "]")
    }

    @Test func `one long category is grouped by prefix`() {
        #expect(MenuDriver(Self.document(40)).headings == ["Parameters"])
        let menu = MenuDriver(Self.document(41))
        #expect(menu.headings == ["ads.*", "berean_*", "x-*"])
        #expect(!menu.lines[1].contains("prefix"), "the order that fits needs no notice")
        #expect(
            MenuDriver(Self.document(41, others: 60)).headings == ["Parameters", "Rest 0", "Rest 1"],
            "its categories are of use")
    }

    @Test func `chosen order is kept`() {
        var menu = MenuDriver(Self.document(41), pressing: "o")
        #expect(menu.headings == ["Parameters"] && menu.message == "Order: catalog order.")
        #expect(menu.state.session.order == .catalog)
        #expect(menu.press("ooo").state.session.order == .prefix)
    }

    @Test func `group by prefix has three flags`() {
        let items = ["a_1", "a_2", "b_1", "b_2", "b_3"].map { #"{"key": "\#($0)"}"# }.joined(separator: ",")
        let menu = MenuDriver(.snapshot(#"[{"category": "A", "items": [\#(items)]}]"#), pressing: "ooo")
        #expect(menu.headings == ["b_*", "Other"])
    }
}
