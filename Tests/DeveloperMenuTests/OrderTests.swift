import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Pins, the order of the list, and restoring a session.
@Suite struct OrderTests {
    // MARK: pins

    @Test func `pinned flag moves to the top and stays selected`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "jjp") == [])
        #expect(menu.listedKeys == ["login_variant"] + MenuDriver.sampleKeys.filter { $0 != "login_variant" })
        #expect(menu.headings == ["Pinned", "Location", "Login", "Items"])
        #expect(menu.selectedKey == "login_variant")
        #expect(menu.message == "Login variant is pinned on top.")
        #expect(menu.state.list.pins == ["login_variant"])
    }

    @Test func `pins keep their order and unpinned flags return`() {
        var menu = MenuDriver(pressing: "GpGp")
        #expect(menu.listedKeys.prefix(2) == ["greeting_text", "maximum_item_count"])
        #expect(menu.press("gp").message == "greeting_text is no longer pinned.")
        #expect(menu.selectedKey == "greeting_text")
        #expect(menu.press("gp").listedKeys == MenuDriver.sampleKeys)
        #expect(menu.headings == ["Location", "Login", "Items"])
    }

    @Test func `fully pinned category has no heading`() {
        #expect(MenuDriver(pressing: "p").headings == ["Pinned", "Login", "Items"])
    }

    @Test func `unlisted override can be pinned`() {
        var menu = MenuDriver(overrides: ["gone": "1", "gone_too": "2"], pressing: "Gp")
        #expect(menu.listedKeys == ["gone_too"] + MenuDriver.sampleKeys + ["gone"])
        #expect(menu.press("x").listedKeys == MenuDriver.sampleKeys + ["gone"], "a pin of an unknown key shows nothing")
        #expect(menu.state.list.pins == ["gone_too"], "but the pin is kept in case the key appears again")
    }

    @Test func `pinning in an empty list shows a message`() {
        let menu = MenuDriver(pressing: "/zzz<enter>p")
        #expect(menu.message == "No flag is listed. Esc shows all flags.")
        #expect(menu.state.list.pins == [])
    }

    // MARK: order

    @Test func `changed first groups overridden flags`() {
        var menu = MenuDriver(overrides: ["maximum_item_count": "10", "login_screen": "{}", "gone": "1"])
        #expect(menu.press("jo").message == "Order: changed first.")
        #expect(
            menu.listedKeys == [
                "login_screen", "maximum_item_count", "gone", "enable_multiple_locations", "login_variant",
                "greeting_text",
            ])
        #expect(menu.headings == ["Changed", "Location", "Login", "Items"])
        #expect(menu.selectedKey == "login_screen")
        #expect(menu.lines[1].contains("changed first, 6 of 6"))
    }

    @Test func `pinned flags come before overridden ones`() {
        let menu = MenuDriver(overrides: ["maximum_item_count": "10", "greeting_text": "Hi"], pressing: "oGp")
        #expect(menu.headings == ["Pinned", "Changed", "Location", "Login"])
        #expect(menu.listedKeys.prefix(2) == ["login_variant", "maximum_item_count"])
    }

    @Test func `order by name has no categories`() {
        var menu = MenuDriver(pressing: "oo")
        #expect(menu.message == "Order: by name.")
        #expect(
            menu.listedKeys == [
                "greeting_text", "login_screen", "login_variant", "maximum_item_count", "enable_multiple_locations",
            ], "by title, or by key if a flag has no title")
        #expect(menu.headings == ["By name"])
        #expect(menu.press("oo").listedKeys == MenuDriver.sampleKeys)
        #expect(menu.message == "Order: catalog order.")
        #expect(!menu.lines[1].contains("of"))
    }

    @Test func `order applies to conditions but not to words`() {
        var menu = MenuDriver(overrides: ["maximum_item_count": "10"], pressing: "oo/type:string<enter>")
        #expect(menu.listedKeys == ["greeting_text", "login_variant"])
        #expect(menu.press("<esc>/lo<enter>oo").message == "Order: catalog order; a filter with words sorts by match.")
    }

    // MARK: the session

    @Test func `session is restored before and after the flags are read`() {
        var first = MenuDriver(overrides: ["login_variant": "variant_b", "greeting_text": "Hi"])
        first.press("Gpo/type:string<enter>j")
        let session = first.state.session
        #expect(session == MenuSession(selectedKey: "login_variant", order: .changedFirst, pins: ["greeting_text"]))
        var second = MenuDriver(overrides: ["login_variant": "variant_b", "greeting_text": "Hi"])
        second.happens(.settings(.sessionRestored(session)))
        #expect(second.state.session == session)
        #expect(second.listedKeys.count == MenuDriver.sampleKeys.count, "a filter is not restored")

        var early = MenuState(
            target: MenuTarget(app: "shop", source: "shop.json"), size: Size(columns: 80, rows: 24),
            now: MenuDriver.now)
        #expect(early.reduce(.settings(.sessionRestored(session)), at: MenuDriver.now) == [])
        _ = early.reduce(.store(.read(second.store.table, error: nil)), at: MenuDriver.now)
        _ = early.reduce(
            .activated(.sample),
            at: MenuDriver.now)
        #expect(early.session == session)
        #expect(early.selected?.key == "login_variant", "the saved selection is restored when the flags are read")
    }

    @Test func `restored session is sanitized`() {
        var menu = MenuDriver()
        menu.happens(.settings(.sessionRestored(MenuSession(selectedKey: "gone", pins: ["a", "a", "b"]))))
        #expect(menu.state.list.pins == ["a", "b"])
        #expect(menu.happens(.settings(.sessionRestored(MenuSession()))).listedKeys == MenuDriver.sampleKeys)
        #expect(menu.selectedKey == MenuDriver.sampleKeys[0])
    }

    @Test func `ordered by prefix, flags are grouped by key prefix, with ungrouped flags last`() {
        var menu = MenuDriver(
            .snapshot(
                #"{"ads.top": "1", "pay_card": "true", "solo": "1", "pay_cash": "1", "ads.end": "1", "x-one": "1", "pay_soon": "1", "ads.low": "1"}"#
            )
        )
        #expect(menu.press("ooo").message == "Order: by prefix.")
        #expect(
            menu.listedKeys == ["ads.top", "ads.end", "ads.low", "pay_card", "pay_cash", "pay_soon", "solo", "x-one"])
        #expect(menu.headings == ["ads.*", "pay_*", "Other"])
        #expect(menu.state.session.order == .prefix, "the session saves the order")
        #expect(menu.press("<tab>").selectedKey == "pay_card")
        #expect(menu.press("<space>m").listedKeys == ["pay_card"])
        #expect(menu.state.commands.listing().text?.contains("--order prefix") == true)
    }
}
