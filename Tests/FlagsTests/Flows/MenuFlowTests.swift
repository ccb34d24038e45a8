import FlagModel
import FlagStorage
import Flags
import Synchronization
import TestSupport
import Testing

/// The flows of "Effective Feature Flags with Kotlin Multiplatform & Firebase": local over remote state, events
/// that change it, and screens to choose values.
@Suite("Menu: state, events and screens")
struct MenuFlowTests {
    private static let categories = """
        [{"category": "Location", "items": [{"key": "enable_multiple_locations", "value": "true|false", \
        "title": "Multiple Locations", "description": "Aliquip ullamco et cupidatat.", "added": "later"}]}]
        """
    private let place = AppPlace()

    private func store() -> FlagStore {
        let flags = place.store()
        flags.updateRemote(["enable_multiple_locations": "false", "config_categories": Self.categories])
        return flags
    }

    @Test func `string(key) returns the override, else the remote value, else throws`() throws {
        let flags = store()
        #expect(try flags.string("enable_multiple_locations") == "false")
        try flags.setOverride("enable_multiple_locations", to: "true")
        #expect(try flags.string("enable_multiple_locations") == "true")
        #expect(try flags.bool("enable_multiple_locations"))
        #expect(throws: FlagReadError.self) { try flags.string("nobody_has_it") }
    }

    @Test func `the flag selects one of two experiences`() throws {
        let flags = store()
        func locations() -> [String] {
            flags[.multipleLocations] ? (1...10).map { "Location \($0)" } : ["Single Location"]
        }
        #expect(locations() == ["Single Location"])
        try flags.setOverride(.multipleLocations, to: true)
        #expect(locations().count == 10)
    }

    @Test func `updateConfig replaces all remote values and leaves overrides unchanged`() throws {
        let flags = store()
        try flags.setOverride(.greeting, to: "mine")
        flags.updateRemote(["enable_multiple_locations": "true", "greeting": "remote"])
        #expect(flags[.multipleLocations] && flags[.greeting] == "mine")
        flags.updateRemote([:])
        #expect(!flags[.multipleLocations] && flags[.greeting] == "mine")
        #expect(throws: FlagReadError.self) { try flags.string("config_categories") }
    }

    @Test func `setConfig sets one key, and repeating it changes nothing`() throws {
        let flags = store()
        for _ in 1...2 {
            try flags.setOverride("enable_multiple_locations", to: "true")
            #expect(flags.activeOverrides.mapValues(\.value) == ["enable_multiple_locations": "true"])
        }
    }

    @Test func `resetConfig clears one key and uses the current remote value`() throws {
        let flags = store()
        try flags.setOverride(.multipleLocations, to: true)
        try flags.setOverride(.greeting, to: "mine")
        try flags.clearOverride(.multipleLocations)
        #expect(!flags[.multipleLocations] && flags[.greeting] == "mine")
        #expect(Set(flags.activeOverrides.keys) == ["greeting"])
    }

    @Test func `clearConfig clears all overrides`() throws {
        let flags = store()
        try flags.setOverride(.multipleLocations, to: true)
        try flags.setOverride(.greeting, to: "mine")
        try flags.clearOverrides()
        #expect(flags.activeOverrides.isEmpty && !flags[.multipleLocations] && flags[.greeting] == "hello")
    }

    @Test func `a snapshot does not change with later overrides`() throws {
        let flags = store()
        let before = flags.snapshot()
        try flags.setOverride(.multipleLocations, to: true)
        #expect(!before[.multipleLocations] && flags.snapshot()[.multipleLocations])
    }

    @Test func `onChange reports remote and local changes until it is cancelled`() throws {
        let flags = store()
        let seen = Mutex<[String]>([])
        let closeable = flags.onChange { change in seen.withLock { $0.append("\(change.key)=\(change.new ?? "-")") } }
        try flags.setOverride(.multipleLocations, to: true)
        #expect(Clock.wait { seen.withLock { $0 } == ["enable_multiple_locations=true"] })
        flags.updateRemote(["greeting": "hi"])
        #expect(Clock.wait { seen.withLock { $0.contains("greeting=hi") } })
        closeable.cancel()
        let count = seen.withLock { $0.count }
        try flags.clearOverrides()
        let greetingChanges = Mutex(0)
        let second = flags.onChange(of: .greeting) { _ in greetingChanges.withLock { $0 += 1 } }
        try flags.setOverride(.greeting, to: "last")
        #expect(Clock.wait { greetingChanges.withLock { $0 } == 1 })
        second.cancel()
        #expect(seen.withLock { $0.count } == count)
    }

    @Test func `config_categories becomes the list of categories, and unknown members are ignored`() throws {
        let catalog = store().snapshot().catalog
        #expect(catalog.categories.map(\.name.string) == ["Location"])
        let item = try #require(catalog.item("enable_multiple_locations"))
        #expect(item.title?.string == "Multiple Locations" && item.details?.string == "Aliquip ullamco et cupidatat.")
        #expect(catalog.issues.isEmpty)
    }

    @Test func `the values of an item are split at each bar, and the current value is marked`() throws {
        let flags = store()
        let before = flags.board.facts(of: "enable_multiple_locations")
        #expect(before.options.map(\.value) == ["true", "false"] && before.value == "false")
        #expect(before.state == .notSet)
        try flags.setOverride("enable_multiple_locations", to: before.options[0].value)
        let after = flags.board.facts(of: "enable_multiple_locations")
        #expect(after.value == "true" && after.state == .overridden)
        try flags.clearOverride("enable_multiple_locations")
        #expect(flags.board.facts(of: "enable_multiple_locations") == before)
    }

    @Test func `a new remote category list changes the options, and an override that is no longer an option is stale`()
        throws
    {
        let flags = store()
        try flags.setOverride("theme", to: "retired")
        let items = #"[{"key": "theme", "value": "plain|festive"}]"#
        flags.updateRemote(["theme": "plain", "config_categories": #"[{"category": "Look", "items": \#(items)}]"#])
        let board = flags.board
        #expect(board.catalog.categories.map(\.name.string) == ["Look"])
        #expect(board.facts(of: "theme").state == .stale(#""retired" is no longer one of the options"#))
    }

    @Test func `defaults and remote values of an SDK are merged and passed to updateRemote`() {
        let (defaults, remote) = (["greeting": "default", "ratio": "2"], ["greeting": "remote"])
        let flags = place.store()
        flags.updateRemote(FlagTable(defaults.merging(remote) { _, remote in remote }))
        #expect(flags[.greeting] == "remote" && flags[.ratio] == 2)
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
    }

    @Test func `an override set by a menu in another process reaches the app`() async throws {
        let flags = store()
        var changes = flags.changes(of: .multipleLocations).makeAsyncIterator()
        _ = try place.menu.apply([.set(key: "enable_multiple_locations", value: "true")])
        #expect(await changes.next()?.new == true)
        _ = try place.menu.apply([.clearAll])
        #expect(await changes.next()?.new == false)
    }
}
