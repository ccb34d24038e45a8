import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Updates from elsewhere are shown immediately and disturb nothing.
@Suite struct UpdateTests {
    private static let later = FlagTimestamp(seconds: MenuDriver.now.seconds + 60)

    /// The sample with other values, another order and a new first flag.
    private static let changed = RemoteSnapshot.snapshot(
        #"""
        {"brand_new": "1", "login_variant": "variant_b", "enable_multiple_locations": "true",
         "config_categories": [
           {"category": "New", "items": [{"key": "brand_new", "value": "1|2"}]},
           {"category": "Login", "items": [
             {"key": "login_variant", "value": "control|variant_a|variant_b", "title": "Login variant"}]},
           {"category": "Location", "items": [
             {"key": "enable_multiple_locations", "value": "true|false", "title": "Multiple locations"}]}]}
        """#)

    private static let overrides: FlagTable<FlagOverride> = [
        "brand_new": FlagOverride(value: "2"), "z": FlagOverride(value: "1"),
    ]
    private static let everyUpdate: [Event] = [
        .remote(.fetchStarted(id: 0)), .remote(.progressed(source: 0, .received(bytes: 9, of: nil))),
        .remote(.sourcesChanged(FetchingTests.statuses)),
        .remote(.liveUpdatesChanged(source: 0, error: "Closed.")),
        .activated(changed, by: .menu(id: 0), at: later),
        .activated(changed, by: .elsewhere, at: later),
        .activated(changed, by: .fetch(id: 0), at: later),
        .remote(.polled(source: "remote.json", waiting: .values(3), at: later, errors: [])),
        .remote(.polled(source: "remote.json", waiting: nil, at: later, errors: ["gone."])),
        .remote(.fetched(id: 0, waiting: .values(3), at: later, errors: [])),
        .remote(.fetchFailed(id: 0, errors: ["shop.json: gone."])),
        .store(.read(OverrideTable(revision: 9, overrides: overrides), error: nil)),
        .store(.read(OverrideTable(), error: "The store is unreadable.")),
        .store(.moved(id: 0, OverrideTable(revision: 10), changes: [], notice: nil)),
        .store(.moveRefused(id: 0, reason: "Nothing to undo.", isAtEnd: false)),
        .store(.notWatched(reason: "Not followed.")), .settings(.preferencesNotWatched(reason: "Not followed either.")),
        .terminal(.resized(Size(columns: 130, rows: 40))),
    ]

    @Test func `an edit of the file is in use and lists its values`() {
        var menu = MenuDriver(columns: 120, rows: 30)
        let edit = Event.activated(Self.changed, by: .edit(of: "shop.json"), at: Self.later)
        let differences = ValueDifference.between(menu.state.board.values.remote, Self.changed.values)
        menu.happens(edit)
        #expect(!differences.isEmpty && menu.state.board.values.remote == Self.changed.values)
        #expect(menu.message?.hasPrefix("shop.json: \(differences.count.counted("value")) changed: ") == true)
        for difference in differences { #expect(menu.message?.contains("\(difference.key) ") == true) }
        menu.happens(edit)
        #expect(menu.message?.hasPrefix("shop.json: ") == true, "an edit that changes no value says nothing new")
    }

    @Test func `activation by the app is shown and reported once`() {
        var menu = MenuDriver()
        let updates = Event.activated(Self.changed, by: .elsewhere, at: Self.later)
        let differences = ValueDifference.between(menu.state.board.values.remote, Self.changed.values)
        menu.happens(updates)
        let beginning = "Activated elsewhere: \(differences.count.counted("value")) changed: "
        #expect(menu.message?.hasPrefix(beginning) == true)
        for difference in differences { #expect(menu.message?.contains("\(difference.key) ") == true) }
        #expect(menu.missing("brand_new") == [])
        menu.press("<down>")
        #expect(menu.happens(updates).message == nil)
    }

    @Test func `activation by the app does not complete the menus activation`() {
        var menu = MenuDriver.waiting()
        menu.happens(.remote(.fetched(id: 0, waiting: .values(1), at: Self.later, errors: [])))
        menu.press("ayq")
        #expect(!menu.happens(.activated(Self.changed, by: .elsewhere)).state.isFinished)
        #expect(menu.happens(.activated(Self.changed, by: .menu(id: 1))).state.isFinished)
    }

    @Test func `background update shows a message only if values wait`() {
        var menu = MenuDriver()
        let message = menu.state.message
        menu.happens(
            .activated(Self.changed, by: .fetch(id: 0), at: Self.later))
        #expect(menu.state.message == message && menu.state.remote.condition == .read(at: Self.later))
        #expect(menu.state.board.catalog.item("brand_new") != nil)
        menu.happens(.remote(.polled(source: "remote.json", waiting: nil, at: Self.later, errors: [])))
        #expect(menu.state.message == message)
        menu.happens(.remote(.polled(source: "remote.json", waiting: .values(2), at: Self.later, errors: [])))
        #expect(menu.state.message != message && menu.state.remote.waiting?.count == 2)
        let reported = menu.state.message
        menu.now = Self.later
        menu.press("")
        menu.happens(.remote(.polled(source: "remote.json", waiting: .values(2), at: Self.later, errors: [])))
        #expect(menu.state.message == reported, "the same update is shown once")
        menu.happens(.remote(.polled(source: "remote.json", waiting: nil, at: Self.later, errors: ["flags: gone."])))
        #expect(menu.state.remote.condition == .failed(reason: "", cachedFrom: Self.later))
        #expect(menu.state.remote.errors == ["flags: gone."])
    }

    @Test(arguments: everyUpdate.indices)
    func `no update moves the selection or drops the filter`(index: Int) {
        let event = Self.everyUpdate[index]
        var menu = MenuDriver(pressing: "/login v<enter>")
        #expect(menu.happens(event).selectedKey == "login_variant", "\(event)")
        #expect(menu.state.list.filter.text == "login v")
        menu = MenuDriver(pressing: "jj")
        #expect(menu.happens(event).selectedKey == "login_variant", "\(event)")
        #expect(menu.textAtCursor?.contains("Login variant") == true)
    }

    @Test(arguments: everyUpdate.indices)
    func `no update disturbs an edit or confirms a dialog`(index: Int) throws {
        let event = Self.everyUpdate[index]
        for keys in ["/log", "?und", "/login_screen<enter><enter> half", "/login v<enter><enter>j", "i", "C"] {
            var menu = MenuDriver(overrides: ["login_variant": "variant_a"], pressing: keys)
            let mode = menu.state.mode
            menu.happens(event)
            if let sheet = mode.sheet as? ExplanationSheet {
                // The update may have changed the length of the explanation.
                let now = try #require(menu.state.sheet(ExplanationSheet.self))
                #expect(now.key == sheet.key && now.scrolled.top == sheet.scrolled.top)
            } else if keys == "C" {
                // The dialog may list other overrides after an update, but only the user confirms it.
                #expect(menu.state.mode.part == BulkDialog.part, "\(event)")
            } else {
                #expect(menu.state.mode == mode, "\(keys), then \(event)")
            }
        }
    }

    @Test func `selection moves to a neighbor of a removed flag`() {
        var menu = MenuDriver(overrides: ["gone_a": "1", "gone_b": "2"], pressing: "G")
        #expect(menu.changeElsewhere([.clear(key: "gone_b")]).selectedKey == "gone_a")
    }

    // MARK: fetching and activating

    @Test func `fetched values wait for activation`() {
        var menu = MenuDriver()
        menu.remote = Self.changed
        let fetching = menu.effects(of: "f")
        #expect(fetching == [.fetchRemote(id: 1)])
        #expect(menu.state.remote.waiting?.count == 6)
        #expect(menu.message == "Fetched: 6 values differ. a activates.")
        #expect(menu.value("login_variant") == "control")
        #expect(menu.lines[0].contains("6 values wait (a)"))
        #expect(menu.effects(of: "y") == [.activateRemote(id: 2)])
        #expect(menu.value("login_variant") == "variant_b")
        #expect(menu.state.remote.waiting?.count == nil)
        #expect(menu.message == "Activated: the fetched values are in use now.")
    }

    @Test func `active values keep their age until activation`() {
        var menu = MenuDriver(columns: 120, rows: 30)
        menu.happens(.remote(.fetched(id: 0, waiting: .values(1), at: MenuDriver.now, errors: [])))
        #expect(menu.message == "Fetched: 1 value differs. a activates.")
        #expect(menu.lines[0].contains("1 value waits (a)"))
        #expect(menu.lines.contains { $0.contains("active, fetched 2 min ago") })
        menu.happens(.remote(.fetched(id: 0, waiting: nil, at: MenuDriver.now, errors: [])))
        #expect(
            menu.lines.contains { $0.contains("active, fetched just now") },
            "unchanged values have the age of the last fetch")
    }

    @Test func `fetch without a source keeps the age of the values`() {
        var menu = MenuDriver(columns: 120, rows: 30)
        menu.happens(.remote(.fetchStarted(id: 0)))
        #expect(menu.happens(.remote(.hasNoSource(id: 0))).message?.hasPrefix("Nothing to fetch: ") == true)
        #expect(menu.lines.contains { $0.contains("active, fetched 2 min ago") })
    }

    @Test func `second fetch is rejected during the first`() {
        var menu = MenuDriver()
        #expect(menu.happens(.remote(.fetchStarted(id: 1))).lines[0].contains("shop.json, reading"))
        #expect(menu.effects(of: "f") == [])
        #expect(menu.message == "Fetching remote values. Esc cancels.")
    }

    @Test func `a fetch replaces the startup fetch and reports its result`() {
        var menu = MenuDriver()
        menu.happens(.remote(.fetchStarted(id: RemoteValuesStatus.startupFetch)))
        #expect(menu.press("f").state.remote.condition == .read(at: MenuDriver.now))
        #expect(menu.message == "Fetched: nothing has changed.")
    }

    @Test func `failed fetch keeps the last values and shows their age`() {
        var menu = MenuDriver()
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: line 12, column 7: expected ',' or '}'."])))
        #expect(menu.value("login_variant") == "control")
        let cachedFrom = FlagTimestamp(seconds: MenuDriver.now.seconds - 120)
        #expect(menu.state.remote.condition == .failed(reason: "", cachedFrom: cachedFrom))
        #expect(menu.lines[0].contains("cached 2 min ago"))
        #expect(menu.lines[1].contains("! shop.json: line 12, column 7: expected ',' or '}'."))
        #expect(menu.press("j<space>k").lines[1].contains("line 12"), "the error stays until the source is fixed")
        #expect(menu.press("f").state.remote.errors == [])
        #expect(!menu.lines[1].contains("line 12"))
    }

    @Test func `overrides work without any source`() {
        var menu = MenuDriver(.snapshot("{}"), overrides: ["a": "1"])
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: no such file."])))
        #expect(menu.press("<enter><bs>2<enter>").saved == ["a": "2"])
    }

    @Test func `document warnings are shown`() {
        var menu = MenuDriver()
        let warnings = ["line 4, column 3: an item without a key was left out", "line 9, column 1: twice"]
        let content = RemoteContent(snapshot: .sample, fetchedAt: MenuDriver.now, warnings: warnings)
        menu.happens(.remote(.activated(content, by: .menu(id: 0))))
        #expect(menu.message == "\(warnings[0]) (1 more: flagmenu doctor)")
    }
}
