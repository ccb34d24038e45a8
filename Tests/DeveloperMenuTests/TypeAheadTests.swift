import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Keys typed before the flags are read, and filters typed before a large list is indexed.
@Suite struct TypeAheadTests {
    /// A menu that has read nothing yet.
    private static var opened: MenuDriver {
        var menu = MenuDriver()
        menu.state = MenuState(target: menu.state.target, size: Size(columns: 80, rows: 24), now: MenuDriver.now)
        return menu
    }

    private static let firstReadings: [Event] = [
        .activated(.sample),
        .store(.read(OverrideTable(), error: nil)),
    ]

    @Test(arguments: [firstReadings, firstReadings.reversed()])
    func `type ahead waits for the first flags`(readings: [Event]) {
        var menu = Self.opened
        #expect(menu.effects(of: "/multiple<enter><space>").isEmpty)
        #expect(menu.state.mode == .list)
        #expect(menu.happens(readings[0]).saved.isEmpty)
        #expect(menu.happens(readings[1]).saved == ["enable_multiple_locations": "true"])
        #expect(menu.press("/").state.mode == .filter, "keys wait only for the first values and overrides")
    }

    @Test func `type ahead does not wait for slow sources`() {
        var menu = Self.opened
        menu.press("/mu")
        menu.happens(.terminal(.typeAheadEnded))
        #expect(menu.state.mode == .filter && menu.state.list.filter.text == "mu")
        #expect(menu.press("l").state.list.filter.text == "mul")
    }

    @Test func `overrides are listed and cleared while sources are slow`() {
        var menu = Self.opened
        menu.changeElsewhere([.set(key: "local", value: "true")])
        #expect(menu.happens(.remote(.fetchStarted(id: 0))).lines.contains { $0.contains("Reading shop.json.") })
        menu.happens(.terminal(.typeAheadEnded))
        #expect(menu.missing("▌   local  true", "Reading shop.json.") == ["Reading shop.json."])
        #expect(menu.press("x").store.table.overrides.isEmpty)
        menu.happens(
            .activated(.sample, by: .fetch(id: 0)))
        #expect(menu.state.board.catalog.items.count == RemoteSnapshot.sample.catalog.items.count)
    }

    @Test func `failed sources end the wait`() {
        var menu = Self.opened
        menu.press("?")
        menu.happens(.store(.read(OverrideTable(), error: nil)))
        menu.happens(.remote(.fetchFailed(id: 0, errors: ["shop.json: no such file."])))
        #expect(menu.state.mode.part == .help)
    }

    @Test func `ctrl c does not wait for the first flags`() {
        var menu = Self.opened
        #expect(menu.press("/mu<c-c>").state.ending == .interrupted)
    }

    private static let many = snapshot(count: 2_001)

    private static func snapshot(count: Int) -> RemoteSnapshot {
        let items = (0..<count).map { #"{"key": "flag_\#($0)", "value": "true|false"}"# }.joined(separator: ", ")
        return .snapshot(#"[{"category": "All", "items": [\#(items)]}]"#)
    }

    @Test func `a large list is searched before its index is received`() {
        var menu = MenuDriver(Self.many, pressing: "j/1999")
        #expect(menu.listedKeys == ["flag_1999"] && menu.selectedKey == "flag_1999")
        #expect(menu.lines[1].contains("1 of 2001"))
        #expect(menu.happens(.remote(.indexed(SearchIndex(Self.many)))).listedKeys == ["flag_1999"])
        #expect(menu.press("<esc>").selectedKey == "flag_1999", "the filter is cleared, and the flag stays selected")
    }

    @Test func `an index of other flags is not used`() {
        var menu = MenuDriver(Self.many)
        menu.happens(.remote(.indexed(SearchIndex(Self.snapshot(count: 3)))))
        #expect(menu.press("/1999").listedKeys == ["flag_1999"])
    }

    @Test func `a large list is ordered by name`() {
        var menu = MenuDriver(Self.many)
        menu.state.list.chosenOrder = .name
        menu.state.list.rebuild()
        #expect(menu.state.list.rows.first?.heading == .byName)
    }
}
