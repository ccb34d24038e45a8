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
        var menu = MenuDriver()
        menu.press("<esc>")
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

    @Test func `Esc cancels the fetch first, then clears the filter`() {
        var menu = MenuDriver()
        menu.press("/variant<enter>")
        menu.happens(.remote(.fetchStarted(id: 0)))
        #expect(menu.effects(of: "<esc>") == [.cancelFetch])
        #expect(menu.state.list.isNarrowed)
        menu.press("<esc>")
        #expect(!menu.state.list.isNarrowed)
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
        var state = MenuState(
            target: .init(app: "shop", source: "shop.json"), size: Size(columns: 80, rows: 24),
            now: MenuDriver.now)
        _ = state.reduce(.remote(.fetchStarted(id: 0)), at: MenuDriver.now)
        _ = state.reduce(.terminal(.typeAheadEnded), at: MenuDriver.now)
        #expect(state.reduce(.key(.escape), at: MenuDriver.now) == [.cancelFetch])
        #expect(state.message?.text == "Fetch cancelled; there are no values yet. f fetches again.")
        #expect(!state.isFinished && state.remote.condition == .failed(reason: "", cachedFrom: nil))
    }

    @Test func `only the end of the fetch ends the loading state`() {
        var menu = fetching()
        let updates = RemoteContent(snapshot: .sample, fetchedAt: MenuDriver.now)
        for event in [
            Event.remote(.activated(updates, by: .menu(id: 0))), .remote(.activated(updates, by: .elsewhere)),
            .remote(.polled(source: "remote.json", waiting: .values(2), at: MenuDriver.now, errors: [])),
        ] {
            menu.happens(event)
            #expect(menu.state.remote.condition == nil && menu.state.remote.fetch != nil, "\(event)")
        }
        menu.happens(.remote(.fetched(id: 0, waiting: .values(0), at: MenuDriver.now, errors: [])))
        #expect(menu.message == "Fetched: titles, options or conditions differ. a activates.")
        #expect(menu.state.remote.waiting?.count == 0)
        menu.happens(.remote(.fetched(id: 0, waiting: nil, at: MenuDriver.now, errors: [])))
        #expect(menu.state.remote.condition == .read(at: MenuDriver.now) && menu.state.remote.fetch == nil)
    }

    @Test func `waiting values can be activated during another fetch`() {
        var menu = MenuDriver()
        menu.happens(.remote(.fetched(id: 0, waiting: .values(1), at: MenuDriver.now, errors: [])))
        menu.happens(.remote(.fetchStarted(id: 0)))
        #expect(menu.effects(of: "a") == [])
        #expect(menu.effects(of: "y") == [.activateRemote(id: 1)])
        #expect(menu.message == "Activated: the fetched values are in use now.")
        #expect(menu.state.remote.condition == nil)
    }

    @Test func `fetched values open the activation dialog unless a key was pressed meanwhile`() {
        var menu = fetching()
        menu.happens(.remote(.fetched(id: 0, waiting: .values(2), at: MenuDriver.now, errors: [])))
        #expect(menu.state.mode == .list, "the fetch at startup opens no dialog")
        var state = menu.state
        #expect(state.reduce(.key(.character("f")), at: MenuDriver.now) == [.fetchRemote(id: 1)])
        let fetched = Event.remote(.fetched(id: 1, waiting: .values(2), at: MenuDriver.now, errors: []))
        var stateAfterKey = state
        _ = stateAfterKey.reduce(.key(.down), at: MenuDriver.now)
        _ = stateAfterKey.reduce(fetched, at: MenuDriver.now)
        #expect(stateAfterKey.mode == .list, "no dialog opens between two keys")
        _ = state.reduce(fetched, at: MenuDriver.now)
        #expect(state.sheet(BulkDialog.self)?.plan.title == "Activate 2 remote values?")
        _ = state.reduce(
            .remote(.polled(source: "remote.json", waiting: .values(3), at: MenuDriver.now, errors: [])),
            at: MenuDriver.now)
        #expect(
            state.sheet(BulkDialog.self)?.plan.title == "Activate 3 remote values?",
            "the open dialog follows the waiting values")
        #expect(state.reduce(.key(.character("n")), at: MenuDriver.now) == [])
        #expect(
            state.message?.text == "Not activated. a shows the fetched values again."
                && state.remote.waiting?.count == 3)
        _ = state.reduce(.key(.character("a")), at: MenuDriver.now)
        #expect(state.reduce(.key(.character("y")), at: MenuDriver.now) == [.activateRemote(id: 2)])
    }

    @Test func `without value changes, the key a activates without a dialog`() {
        var menu = MenuDriver()
        menu.happens(.remote(.fetched(id: 0, waiting: [], at: MenuDriver.now, errors: [])))
        #expect(menu.effects(of: "a") == [.activateRemote(id: 1)])
    }

    @Test func `a fetch that activates its values shows a message`() {
        var menu = MenuDriver()
        menu.press("f")
        var state = menu.state
        _ = state.reduce(.key(.character("f")), at: MenuDriver.now)
        let content = RemoteContent(snapshot: .sample, fetchedAt: MenuDriver.now)
        _ = state.reduce(.remote(.activated(content, by: .fetch(id: 2))), at: MenuDriver.now)
        #expect(state.message?.text == "Fetched and activated: no remote value changed.")
        _ = state.reduce(
            .remote(.activated(content, by: .fetch(id: RemoteValuesStatus.startupFetch))), at: MenuDriver.now)
    }

    @Test func `a failed activation does not end the fetch`() {
        var state = fetching().state
        _ = state.reduce(
            .remote(.polled(source: "remote.json", waiting: .values(1), at: MenuDriver.now, errors: [])),
            at: MenuDriver.now)
        _ = state.reduce(.key(.character("a")), at: MenuDriver.now)
        _ = state.reduce(.key(.character("y")), at: MenuDriver.now)
        _ = state.reduce(.remote(.fetchFailed(id: 1, errors: ["Read-only."])), at: MenuDriver.now)
        #expect(state.remote.fetch != nil)
        _ = state.reduce(.remote(.fetchFailed(id: 0, errors: ["shop.json: gone."])), at: MenuDriver.now)
        #expect(
            state.remote.fetch == nil
                && state.remote.condition == .failed(reason: "", cachedFrom: MenuDriver.now.earlier(by: 120)))
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

    @Test(arguments: [
        (160, "   shop.json, 2 min ago; ofrep:flags.example.com, cached 2 h ago   "),
        (94, "   shop.json 2 min, ofrep:flags.example.com cached 2 h   "),
        (80, "   shop.json 2 min, ofrep cached 2 h   "), (64, "   1 of 2 not read   "),
    ])
    func `the title shows the status and age of each source in the longest form that fits`(
        columns: Int, words: String
    ) {
        var menu = MenuDriver(columns: columns)
        menu.happens(.remote(.sourcesChanged(Self.two)))
        #expect(menu.lines[0].contains(words), "\(menu.lines[0])")
    }

    @Test func `the title counts sources of one kind if their names do not fit`() {
        var menu = MenuDriver()
        let read = SourceStatus.Condition.read(at: MenuDriver.now.earlier(by: 120))
        let services = ["firebase:shop", "firebase:shop (server)"].map { SourceStatus(name: $0, condition: read) }
        menu.happens(.remote(.sourcesChanged(services)))
        #expect(menu.lines[0].contains("   2 sources, 2 min ago   "), "\(menu.lines[0])")
        var wide = MenuDriver(columns: 94)
        wide.happens(.remote(.sourcesChanged(services)))
        #expect(wide.lines[0].contains("   firebase:shop 2 min, firebase:shop (server) 2 min   "), "\(wide.lines[0])")
    }

    @Test func `during a fetch the title shows the progress of each source, then parsing`() {
        var menu = MenuDriver(columns: 120)
        menu.happens(.remote(.sourcesChanged(Self.two + [Self.statuses[2]])))
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

    @Test func `a narrow title counts the unread sources`() {
        var menu = MenuDriver(columns: 60)
        menu.happens(
            .remote(
                .sourcesChanged(
                    [Self.statuses[0]] + (1...2).map { SourceStatus(name: "a-long-name-\($0)", condition: .unread) })))
        #expect(menu.lines[0].contains("2 of 3 not read"), "\(menu.lines[0])")
    }

    @Test(arguments: [80, 100, 160])
    func `source names never hide the count of waiting values`(columns: Int) {
        var menu = MenuDriver(columns: columns)
        menu.happens(.remote(.sourcesChanged(Self.two)))
        menu.happens(
            .remote(.polled(source: "remote.json", waiting: .values(3), at: MenuDriver.now, errors: ["ofrep: gone."])))
        #expect(menu.lines[0].contains(", 3 values wait (a) "), "\(menu.lines[0])")
        var single = MenuDriver(columns: columns)
        single.happens(.remote(.sourcesChanged([SourceStatus(name: "ofrep:flags.example.com", condition: .unread)])))
        single.happens(.remote(.polled(source: "remote.json", waiting: .values(3), at: MenuDriver.now, errors: [])))
        #expect(single.lines[0].contains(", 3 values wait (a) "), "\(single.lines[0])")
    }

    @Test func `the title shows only failed sources in the error colour`() {
        var menu = MenuDriver(columns: 160)
        menu.happens(.remote(.sourcesChanged(Self.two)))
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
        var menu = MenuDriver()
        menu.happens(.remote(.sourcesChanged(Self.statuses)))
        menu.press("F")
        let text = menu.lines.joined(separator: "\n")
        for words in [
            "read 2 min ago", "not read; cached 2 h ago, an update waits (a)",
            "! line 12, column 7: expected ',' or '}'.", "not read; nothing cached, rate limited for 40 s",
            "not read yet", "If several sources have a flag, the first one's value is used.",
        ] { #expect(text.contains(words), "\(words): \(text)") }
        menu.happens(.remote(.fetchStarted(id: 0)))
        menu.happens(.remote(.progressed(source: 0, .received(bytes: 1_540, of: nil))))
        #expect(menu.lines.contains { $0.contains("reading 1.5 KB, read 2 min ago") })
        menu.happens(.remote(.progressed(source: 0, .retrying(attempt: 3))))
        #expect(menu.lines.contains { $0.contains("retrying, attempt 3") })
        menu.press("<esc>")
        #expect(menu.state.remote.fetch != nil, "Esc in the sheet does not cancel the fetch")
    }

    @Test func `the sheet offers scrolling only if lines are hidden`() {
        var menu = MenuDriver()
        menu.happens(.remote(.sourcesChanged([Self.statuses[0]])))
        menu.press("F")
        #expect(menu.lines.last?.contains("back") == true && menu.lines.last?.contains("scroll") == false)
        menu.press("j")
        #expect(menu.message == "All of it is in view.")
        menu.happens(.remote(.sourcesChanged((0..<40).map { SourceStatus(name: "ofrep:\($0)", condition: .unread) })))
        #expect(menu.lines.last?.contains("scroll") == true)
        menu.press("j")
        #expect(menu.message != "All of it is in view.")
    }

    @Test func `the sheet shows why a source has no live updates until they return`() {
        var menu = MenuDriver()
        menu.happens(.remote(.sourcesChanged(Self.statuses)))
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
        #expect(menu.lines.contains { $0.contains("Source shop.json, not read; values cached 2 min ago.") })
        #expect(menu.lines.contains { $0.contains("! shop.json: gone.") })
    }
}

extension FlagTimestamp {
    fileprivate func earlier(by seconds: Int64) -> FlagTimestamp { FlagTimestamp(seconds: self.seconds - seconds) }
}
