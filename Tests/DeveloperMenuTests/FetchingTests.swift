import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Fetching: its progress, working in the meantime, and cancelling it.
@Suite struct FetchingTests {
    private func fetching(_ progress: [Int: FetchProgress] = [:], columns: Int = 100) -> MenuDriver {
        var menu = MenuDriver(columns: columns)
        menu.happens(.remote(.fetchStarted(id: 0)))
        for (source, progress) in progress { menu.happens(.remote(.progressed(source: source, progress))) }
        return menu
    }

    /// A poll that found this many waiting values.
    private func polled(_ count: Int, errors: [String] = []) -> Event {
        .remote(.polled(source: "remote.json", waiting: .values(count), at: MenuDriver.now, errors: errors))
    }

    private func fetched(_ waiting: [ValueDifference]?, id: RequestID = 0) -> Event {
        .remote(.fetched(id: id, waiting: waiting, at: MenuDriver.now, errors: []))
    }

    /// A menu that shows the status of these sources.
    private func showing(_ sources: [SourceStatus], columns: Int = 80) -> MenuDriver {
        var menu = MenuDriver(columns: columns)
        menu.happens(.remote(.sourcesChanged(sources)))
        return menu
    }

    @Test(
        arguments: [
            ([:], "reading"), ([0: .requested], "reading"), ([0: .received(bytes: 512, of: nil)], "reading 512 B"),
            ([0: .received(bytes: 1_540, of: 41_000)], "reading 1.5 KB of 41 KB"),
            ([0: .received(bytes: 2_000_000, of: 3_400_000)], "reading 2.0 MB of 3.4 MB"),
            ([0: .retrying(attempt: 2)], "retrying"), ([0: .responded], "parsing"),
            ([0: .received(bytes: 999, of: 1_000)], "reading 999 B of 1.0 KB"),
            ([0: .received(bytes: 15_000, of: nil)], "reading 15 KB"),
        ] as [([Int: FetchProgress], String)])
    func `the title shows the progress of a fetch`(progress: [Int: FetchProgress], words: String) {
        let title = fetching(progress).lines[0]
        #expect(title.contains("shop.json, \(words) "), "\(title)")
    }

    @Test func `Esc cancels a fetch, as the footer says, and the old values keep their age`() {
        var menu = fetching([0: .received(bytes: 512, of: nil)])
        #expect(menu.lines[23].contains("esc cancel fetch"))
        #expect(menu.effects(of: "<esc>") == [.cancelFetch])
        #expect(
            menu.state.remote.fetch == nil && menu.state.remote.condition == .read(at: MenuDriver.now.earlier(by: 120)))
        #expect(menu.message == "Fetch cancelled. The values from 2 min ago stay in use.")
        #expect(!menu.lines[23].contains("cancel fetch"))
        #expect(menu.effects(of: "<esc>") == [])
        #expect(menu.message == "All flags are shown. q quits.")
        #expect(menu.effects(of: "f") == [.fetchRemote(id: 1)])
    }

    @Test func `the age of the values stays true while nobody types, and the message stays`() {
        var menu = MenuDriver(pressing: "<esc>")
        let message = menu.message
        for minutes in 1...10 as ClosedRange<Int64> {
            menu.now = FlagTimestamp(seconds: MenuDriver.now.seconds + 60 * minutes)
            menu.happens(.terminal(.minutePassed))
            #expect(menu.lines[0].contains("shop.json, \(2 + minutes) min ago"), "\(menu.lines[0])")
        }
        #expect(menu.message == message && message != nil)
    }

    @Test func `progress of a cancelled fetch is ignored`() {
        var menu = fetching()
        menu.press("<esc>")
        menu.happens(.remote(.progressed(source: 0, .received(bytes: 512, of: nil))))
        #expect(menu.state.remote.fetch == nil && menu.lines[0].contains("shop.json, 2 min ago"))
    }

    @Test func `a fetch that starts after it was cancelled ends when the engine reports that`() {
        var menu = fetching()
        guard case .fetching(let id, _) = menu.state.remote.activity else {
            Issue.record("no fetch runs")
            return
        }
        menu.press("<esc>")
        menu.happens(.remote(.fetchStarted(id: id)))
        #expect(menu.state.remote.fetch != nil)
        menu.happens(.remote(.fetchCancelled(id: id + 1)))
        #expect(menu.state.remote.fetch != nil, "another fetch")
        menu.happens(.remote(.fetchCancelled(id: id)))
        #expect(menu.state.remote.fetch == nil)
    }

    @Test func `Esc cancels the fetch first, then clears the filter`() {
        var menu = MenuDriver(pressing: "/variant<enter>")
        menu.happens(.remote(.fetchStarted(id: 0)))
        #expect(menu.effects(of: "<esc>") == [.cancelFetch])
        #expect(menu.state.list.isNarrowed)
        #expect(!menu.press("<esc>").state.list.isNarrowed)
    }

    @Test func `a cancelled fetch keeps the previous error`() {
        var menu = MenuDriver()
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: gone."])))
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.press("<esc>")
        #expect(menu.state.remote.condition == .failed(reason: "", cachedFrom: MenuDriver.now.earlier(by: 120)))
        #expect(menu.state.remote.errors == ["shop.json: gone."])
    }

    @Test func `without any values the menu stays open after a cancelled fetch and says how to fetch again`() {
        var menu = MenuDriver()
        menu.state = MenuState(target: menu.state.target, size: menu.state.size, now: MenuDriver.now)
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.happens(.terminal(.typeAheadEnded))
        #expect(menu.effects(of: "<esc>") == [.cancelFetch])
        #expect(menu.message == "Fetch cancelled; there are no values yet. f fetches again.")
        #expect(!menu.state.isFinished && menu.state.remote.condition == .failed(reason: "", cachedFrom: nil))
    }

    @Test func `only the end of the fetch ends the loading state`() {
        var menu = fetching()
        for event in [Event.activated(.sample), .activated(.sample, by: .elsewhere), polled(2)] {
            menu.happens(event)
            #expect(menu.state.remote.condition == nil && menu.state.remote.fetch != nil, "\(event)")
        }
        menu.happens(fetched(.values(0)))
        #expect(menu.message == "Fetched: titles, options or conditions differ. a activates.")
        #expect(menu.state.remote.waiting?.count == 0)
        menu.happens(fetched(nil))
        #expect(menu.state.remote.condition == .read(at: MenuDriver.now) && menu.state.remote.fetch == nil)
    }

    @Test func `waiting values can be activated during another fetch`() {
        var menu = MenuDriver()
        menu.happens(fetched(.values(1)))
        menu.happens(.remote(.fetchStarted(id: 0)))
        #expect(menu.effects(of: "a") == [])
        #expect(menu.effects(of: "y") == [.activateRemote(id: 1)])
        #expect(menu.message == "Activated: the fetched values are in use now.")
        #expect(menu.state.remote.condition == nil)
    }

    @Test func `fetched values open the activation dialog unless a key was pressed meanwhile`() {
        var menu = fetching()
        #expect(menu.happens(fetched(.values(2))).state.mode == .list, "the fetch at startup opens no dialog")
        var state = menu.state
        func reduce(_ events: Event...) -> [Effect] { events.flatMap { state.reduce($0, at: MenuDriver.now) } }
        #expect(reduce(.key("f")) == [.fetchRemote(id: 1)])
        let stateBeforeKey = state
        _ = reduce(.key(.down), fetched(.values(2), id: 1))
        #expect(state.mode == .list, "no dialog opens between two keys")
        state = stateBeforeKey
        #expect(reduce(.remote(.fetchStarted(id: 1)), .key("f")) == [], "the same key again is refused, and waits")
        _ = reduce(fetched(.values(2), id: 1))
        #expect(state.sheet(BulkDialog.self)?.plan.title == "Activate 2 remote values?")
        _ = reduce(polled(3))
        let title = state.sheet(BulkDialog.self)?.plan.title
        #expect(title == "Activate 3 remote values?", "the open dialog follows the waiting values")
        #expect(reduce(.key("n")) == [])
        #expect(state.message?.text == "Not activated. a shows the fetched values again.")
        #expect(state.remote.waiting?.count == 3)
        #expect(reduce(.key("a"), .key("y")) == [.activateRemote(id: 2)])
    }

    @Test func `without value changes, the key a activates without a dialog`() {
        var menu = MenuDriver()
        menu.happens(fetched([]))
        #expect(menu.effects(of: "a") == [.activateRemote(id: 1)])
    }

    @Test func `a fetch that activates its values shows a message`() {
        let menu = MenuDriver(pressing: "f")
        var state = menu.state
        _ = state.reduce(.key("f"), at: MenuDriver.now)
        _ = state.reduce(.activated(.sample, by: .fetch(id: 2)), at: MenuDriver.now)
        #expect(state.message?.text == "Fetched and activated: no remote value changed.")
    }

    @Test func `a failed activation does not end the fetch`() {
        var state = fetching().state
        for event in [polled(1), .key("a"), .key("y"), .remote(.fetchFailed(id: 1, errors: ["Read-only."]))] {
            _ = state.reduce(event, at: MenuDriver.now)
        }
        #expect(state.remote.fetch != nil)
        _ = state.reduce(.remote(.fetchFailed(id: 0, errors: ["shop.json: gone."])), at: MenuDriver.now)
        let cachedFrom = MenuDriver.now.earlier(by: 120)
        #expect(state.remote.fetch == nil && state.remote.condition == .failed(reason: "", cachedFrom: cachedFrom))
    }

    // MARK: several sources in the title

    /// A file read two minutes ago, and a failed service with values cached two hours ago.
    private static let two = [
        SourceStatus(
            name: "/home/ana/shop.json", title: "shop.json", condition: .read(at: MenuDriver.now.earlier(by: 120))),
        SourceStatus(
            name: "ofrep:https://flags.example.com/", title: "ofrep:flags.example.com",
            condition: .failed(reason: "the service is gone.", cachedFrom: MenuDriver.now.earlier(by: 7_300))),
    ]

    private static let ofOneKind = ["firebase:shop", "firebase:shop (server)"].map {
        SourceStatus(name: $0, condition: .read(at: MenuDriver.now.earlier(by: 120)))
    }
    private static let unread = (1...2).map { SourceStatus(name: "a-long-name-\($0)", condition: .unread) }

    @Test(arguments: [
        (two, 160, "   shop.json, 2 min ago; ofrep:flags.example.com, cached 2 h ago   "),
        (two, 94, "   shop.json 2 min, ofrep:flags.example.com cached 2 h   "),
        (two, 80, "   shop.json 2 min, ofrep cached 2 h   "), (two, 64, "   1 of 2 not read   "),
        // Sources of one kind are counted if their names do not fit.
        (ofOneKind, 80, "   2 sources, 2 min ago   "),
        (ofOneKind, 94, "   firebase:shop 2 min, firebase:shop (server) 2 min   "),
        ([statuses[0]] + unread, 60, "2 of 3 not read"),
    ])
    func `the title shows the status and age of each source in the longest form that fits`(
        sources: [SourceStatus], columns: Int, words: String
    ) {
        let title = showing(sources, columns: columns).lines[0]
        #expect(title.contains(words), "\(title)")
    }

    @Test func `during a fetch the title shows the progress of each source, then parsing`() {
        var menu = showing(Self.two + [Self.statuses[2]], columns: 120)
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.happens(.remote(.progressed(source: 1, .received(bytes: 1_540, of: 41_000))))
        menu.happens(.remote(.progressed(source: 2, .responded)))
        #expect(
            menu.lines[0].contains("shop.json 2 min, ofrep reading 1.5 KB of 41 KB, unleash responded"),
            "\(menu.lines[0])")
        menu.happens(.remote(.progressed(source: 1, .responded)))
        #expect(menu.lines[0].contains("shop.json 2 min, ofrep parsing, unleash parsing "), "\(menu.lines[0])")
        menu.happens(.remote(.sourcesChanged(Self.two.map { SourceStatus(name: $0.title, condition: .unread) })))
        #expect(menu.lines[0].contains("shop.json, not read yet; ofrep:flags.example.com, parsing"), "\(menu.lines[0])")
    }

    @Test(arguments: [80, 100, 160])
    func `source names never hide the count of waiting values`(columns: Int) {
        var menu = showing(Self.two, columns: columns)
        menu.happens(polled(3, errors: ["ofrep: gone."]))
        #expect(menu.lines[0].contains(", 3 values wait (a) "), "\(menu.lines[0])")
        var single = showing([SourceStatus(name: "ofrep:flags.example.com", condition: .unread)], columns: columns)
        single.happens(polled(3))
        #expect(single.lines[0].contains(", 3 values wait (a) "), "\(single.lines[0])")
    }

    @Test func `the title shows only failed sources in the error colour`() {
        let menu = showing(Self.two, columns: 160)
        let line = SourceTitle(state: menu.state).line(columns: 100)
        #expect(
            line.spans.filter { !$0.text.isEmpty }.map { $0.style == menu.state.theme.error } == [false, false, true],
            "\(line)")
    }

    // MARK: the source sheet

    static let statuses = [
        SourceStatus(
            name: "ofrep:https://flags.example.com/", title: "ofrep:flags.example.com",
            condition: .read(at: MenuDriver.now.earlier(by: 120))),
        SourceStatus(
            name: "/home/ana/shop.json", title: "shop.json",
            condition: .failed(
                reason: "line 12, column 7: expected ',' or '}'.", cachedFrom: MenuDriver.now.earlier(by: 7_300)),
            isWaiting: true),
        SourceStatus(
            name: "unleash:https://toggles.example.com/", title: "unleash:toggles.example.com",
            condition: .failed(reason: "rate limited (HTTP status 429).", cachedFrom: nil),
            rateLimitedUntil: FlagTimestamp(seconds: MenuDriver.now.seconds + 40)),
        SourceStatus(
            name: "split:https://split.example.com/", title: "split:split.example.com", condition: .unread),
    ]

    @Test func `the sheet shows the status, age, error and progress of each source`() {
        var menu = showing(Self.statuses)
        menu.press("F")
        let missing = menu.missing(
            "read 2 min ago", "not read; cached 2 h ago, an update waits (a)",
            "! line 12, column 7: expected ',' or '}'.", "not read; nothing cached, rate limited for 40 s",
            "not read yet", "If several sources have a flag, the first one's value is used.")
        #expect(missing == [])
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.happens(.remote(.progressed(source: 0, .received(bytes: 1_540, of: nil))))
        #expect(menu.lines.contains { $0.contains("reading 1.5 KB, read 2 min ago") })
        menu.happens(.remote(.progressed(source: 0, .retrying(attempt: 3))))
        #expect(menu.lines.contains { $0.contains("retrying, attempt 3") })
        #expect(menu.press("<esc>").state.remote.fetch != nil, "Esc in the sheet does not cancel the fetch")
    }

    @Test func `the sheet offers scrolling only if lines are hidden`() {
        var menu = showing([Self.statuses[0]])
        menu.press("F")
        #expect(menu.lines.last?.contains("back") == true && menu.lines.last?.contains("scroll") == false)
        #expect(menu.press("j").message == "All of it is in view.")
        menu.happens(.remote(.sourcesChanged((0..<40).map { SourceStatus(name: "ofrep:\($0)", condition: .unread) })))
        #expect(menu.lines.last?.contains("scroll") == true)
        #expect(menu.press("j").message != "All of it is in view.")
    }

    @Test func `the sheet shows why a source has no live updates until they return`() {
        var menu = showing(Self.statuses)
        menu.press("F")
        menu.happens(.remote(.liveUpdatesChanged(source: 0, error: "the service closed the stream.")))
        #expect(menu.lines.contains { $0.contains("~ no live updates: the service closed the stream.") })
        menu.happens(.remote(.liveUpdatesChanged(source: 0, error: nil)))
        #expect(!menu.lines.contains { $0.contains("no live updates") })
    }

    @Test func `without a status per source the sheet shows the overall status`() {
        var menu = MenuDriver()
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: gone."])))
        menu.press("F")
        #expect(menu.missing("Source shop.json, not read; values cached 2 min ago.", "! shop.json: gone.") == [])
    }
}

extension FlagTimestamp {
    fileprivate func earlier(by seconds: Int64) -> FlagTimestamp { FlagTimestamp(seconds: self.seconds - seconds) }
}
