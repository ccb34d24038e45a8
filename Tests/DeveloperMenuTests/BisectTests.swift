import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// A search by hand for the changes that break the app.
@Suite struct BisectTests {
    private static let overrides = [
        "enable_multiple_locations": "true", "greeting_text": "Hi", "login_screen": "true",
        "login_variant": "variant_a", "maximum_item_count": "10",
    ]

    /// A menu with five overrides, after the search was opened and some keys were pressed.
    static func menu(_ keys: String = "", columns: Int = 80, rows: Int = 24) -> MenuDriver {
        MenuDriver(columns: columns, rows: rows, overrides: overrides, pressing: ":bisect<enter>\(keys)")
    }

    /// Judges states until the search ends.
    private static func search(_ menu: inout MenuDriver, isBad: ([String: String]) -> Bool) {
        for _ in 0..<30 where menu.bisect != nil { menu.press(isBad(menu.saved) ? "b" : "g") }
    }

    private func isOpen(_ menu: MenuDriver) -> Bool { menu.state.mode.part == BisectSheet.part }

    @Test func `the search begins without changes, and says what is left`() {
        var menu = Self.menu()
        #expect(menu.saved.isEmpty && menu.bisect?.original.overrides.count == 5)
        #expect(menu.missing("Bisect: 5 of 5 left, about", "Try the app with 0 of 5 changes on.") == [])
        #expect(menu.missing("g good · b bad · s skip · q leave it running · X stop and restore") == [])
        #expect(menu.press("g").saved == Self.overrides)
        #expect(menu.missing("Try the app with 5 of 5 changes on.", "maximum_item_count: 10") == [])
        #expect(menu.press("b").saved.count == 2)
        #expect(menu.missing("Bisect: 5 of 5 left, about", "Try the app with 2 of 5 changes on.") == [])
        #expect(menu.press("b").saved.count == 1)
        #expect(menu.missing("Bisect: 2 of 5 left, about", "Try the app with 1 of 5 changes on.") == [])
    }

    @Test(arguments: overrides.keys.sorted())
    func `the guilty flag is found, everything is restored, and only a confirmation resets the flag`(key: String) {
        var menu = Self.menu()
        Self.search(&menu) { $0[key] != nil }
        #expect(menu.saved == Self.overrides)
        #expect(menu.missing("Guilty: \(key).", "Your changes are restored.") == [], "\(menu.text)")
        #expect(menu.message == "The bisect has ended. Your changes are restored.")
        menu.press("<enter>")
        #expect(menu.plan?.title == "Reset 1 guilty override?" && menu.saved == Self.overrides)
        #expect(menu.press("y").saved == Self.overrides.filter { $0.key != key })
    }

    @Test func `flags that are guilty together are found together`() {
        var menu = Self.menu()
        Self.search(&menu) { $0["greeting_text"] != nil && $0["login_variant"] != nil }
        #expect(menu.missing("Guilty: greeting_text with login_variant.") == [], "\(menu.text)")
        menu.press("q")
        #expect(menu.state.mode == .list && menu.saved == Self.overrides)
    }

    @Test func `a state that cannot be judged is skipped`() {
        var menu = Self.menu("gb")
        let skipped = menu.saved
        menu.press("s")
        #expect(menu.saved != skipped && isOpen(menu))
        Self.search(&menu) { $0["maximum_item_count"] != nil }
        #expect(menu.missing("Guilty: maximum_item_count.") == [], "\(menu.text)")
    }

    @Test(arguments: [
        ("b", "The app is not good without changes"), ("gg", "The app is not bad with all changes"),
    ])
    func `ends that are not as expected say so`(keys: String, sentence: String) {
        var menu = Self.menu(keys)
        #expect(menu.missing(sentence) == [] && menu.saved == Self.overrides)
        #expect(menu.effects(of: "<enter>") == [] && menu.message == "No guilty flag is found yet.")
    }

    @Test(arguments: ["q", "<esc>"])
    func `a search that is left goes on, also in the next menu`(key: String) {
        let menu = Self.menu("gb\(key)")
        let (tested, log) = (menu.saved, menu.bisect)
        #expect(menu.state.mode == .list && tested.count < 5)
        #expect(menu.missing("A bisect is running, so some of your changes are off.", ": bisect goes on") == [])

        var next = MenuDriver()
        (next.store, next.bisect) = (menu.store, menu.bisect)
        next.happens(.store(.read(next.store.table, error: nil)))
        next.happens(.store(.bisected(id: nil, next.store.table, log, notice: nil)))
        #expect(next.missing("A bisect is running, so some of your changes are off.") == [])
        #expect(next.effects(of: ":bisect<enter>").contains { if case .bisect(_, .read) = $0 { true } else { false } })
        #expect(next.saved == tested && next.missing("left, about") == [])
        Self.search(&next) { $0["login_screen"] != nil }
        #expect(next.missing("Guilty: login_screen.") == [] && next.saved == Self.overrides)
    }

    @Test(arguments: ["u", "<c-r>", "Hu", "HU", "H<c-r>"])
    func `nothing can be undone or redone until the search ends`(keys: String) {
        var menu = Self.menu("gbq")
        #expect(menu.missing("u undo") == ["u undo"])
        let tested = menu.saved
        #expect(menu.press(keys).saved == tested)
        #expect(menu.message == "A bisect is running, and undo and redo wait for its end. : bisect and X stop it.")
    }

    @Test func `stopping restores all changes`() {
        var menu = Self.menu("gbX")
        #expect(menu.state.mode == .list && menu.saved == Self.overrides && menu.bisect == nil)
        #expect(menu.message == "The bisect has ended. Your changes are restored.")
        #expect(menu.press("u").saved.count == 4, "the tester's own last change is undone")
    }

    @Test func `a state that is refused says why, and its outcome is not recorded`() {
        var menu = Self.menu("g")
        let log = menu.bisect?.log
        menu.bisectError = "Somebody has changed the overrides meanwhile, so the result would be wrong."
        #expect(menu.press("b").missing("Somebody has changed the overrides meanwhile") == [])
        #expect(isOpen(menu) && menu.bisect?.log == log)
        #expect(menu.missing("Try the app with 5 of 5 changes on.") == [], "still the same state")
        menu.bisectError = nil
        #expect(menu.press("X").saved == Self.overrides)
    }

    @Test(arguments: [false, true])
    func `a search can only be stopped after somebody else has changed something`(isReopened: Bool) {
        var menu = Self.menu(isReopened ? "gbq" : "gb")
        menu.store.apply([.set(key: "greeting_text", value: "Bye")], at: MenuDriver.now)
        menu.happens(.store(.read(menu.store.table, error: nil)))
        if isReopened { menu.press(":bisect<enter>") }
        #expect(menu.missing("Somebody has changed the overrides meanwhile") == [], "\(menu.text)")
        #expect(menu.missing("Try the app with", "g good") == ["Try the app with", "g good"])
        #expect(menu.effects(of: "g") == [] && menu.message == "There is no state to judge.")
        #expect(menu.press("X").bisect == nil && menu.state.mode == .list)
    }

    @Test func `a result after which a change of somebody else stays says only that`() {
        var menu = Self.menu("g")
        menu.performsEffects = false
        let stop = menu.effects(of: "g")
        guard case .bisect(let id, .stop)? = stop.last else {
            Issue.record("\(stop)")
            return
        }
        let notice = #""greeting_text" was changed since by "bob" and keeps "Bye"."#
        menu.happens(.store(.bisected(id: id, menu.store.table, nil, notice: notice)))
        #expect(menu.missing("The app is not bad with all changes", notice) == [], "\(menu.text)")
        #expect(menu.missing("Your changes are restored.") == ["Your changes are restored."])
    }

    @Test func `keys wait until a state is in use`() {
        var menu = MenuDriver(overrides: Self.overrides)
        menu.performsEffects = false
        #expect(menu.effects(of: ":bisect<enter>g") == [.bisect(id: 1, .use(OverrideTable(), log: "null"))])
        #expect(!menu.state.isSettled && menu.missing("One moment.") == [])
        let running = RunningBisect(original: menu.store.table, log: "null", revision: 9)
        menu.happens(.store(.bisected(id: 1, OverrideTable(revision: 9), running, notice: nil)))
        guard case .bisect(_, .use(let table, _))? = menu.effects.last else {
            Issue.record("no state is requested")
            return
        }
        #expect(table.overrides.count == 5)
    }

    @Test func `a change elsewhere is followed once, and Ctrl-C does not wait for it`() {
        var menu = Self.menu("g")
        menu.performsEffects = false
        func read(_ revision: Int) -> [Effect] {
            let before = menu.effects.count
            menu.happens(.store(.read(OverrideTable(revision: revision), error: nil)))
            return Array(menu.effects[before...])
        }
        let request = read(50)
        #expect(request.count == 1, "\(request)")
        #expect(read(50).isEmpty, "the request reads the same file")
        menu.press("<c-c>")
        #expect(!menu.state.isFinished)
        #expect(menu.press("<c-c>").state.isFinished)
    }

    @Test func `a search needs two changes`() {
        var menu = MenuDriver(overrides: ["greeting_text": "Hi"])
        menu.happens(.line(.actionChosen("bisect", in: .list)))
        #expect(menu.message == "A bisect is a search among at least two changes." && menu.state.mode == .list)
    }

    @Test func `line mode asks for each outcome`() {
        var driver = LineModeDriver(MenuDriver(overrides: Self.overrides))
        let start = driver.reply(to: ":bisect")
        #expect(start.contains { $0.hasPrefix("Bisect: 5 of 5 left, about") }, "\(start)")
        #expect(start.contains("g good, b bad, s skip, q leave it running, X stop and restore."))
        #expect(driver.prompt == "Bisect: ")
        driver.type("g", "b", "")
        #expect(driver.menu.state.mode == .list && driver.menu.bisect != nil)
        driver.type(":bisect")
        for _ in 0..<30 where driver.menu.bisect != nil {
            driver.type(driver.menu.saved["login_variant"] == nil ? "g" : "b")
        }
        #expect(driver.printed.contains("Guilty: login_variant. Your changes are restored."), "\(driver.printed)")
        #expect(!driver.printed.contains("The error is fixed."))
        driver.type("r", "y")
        #expect(driver.menu.saved["login_variant"] == nil && driver.menu.saved.count == 4)
    }
}
