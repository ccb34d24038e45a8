import FlagModel
import FlagStorage
import Flags
import Synchronization
import TestSupport
import Testing

/// The flows of "Effective Feature Flags with Kotlin Multiplatform & Firebase": state of local over remote data, events that
/// change it, and the screens that choose.
@Suite("Seed 001: state, events and the screens of the menu")
struct Seed001Tests {
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

    @Test("string(key) gives the local value, else the remote one, else nothing")
    func localOverRemote() throws {
        let flags = store()
        #expect(try flags.string("enable_multiple_locations") == "false")
        try flags.setOverride("enable_multiple_locations", to: "true")
        #expect(try flags.string("enable_multiple_locations") == "true")
        #expect(try flags.bool("enable_multiple_locations"))
        #expect(throws: FlagReadError.self) { try flags.string("nobody_has_it") }
    }

    @Test("the flag tells the two experiences apart")
    func experiences() throws {
        let flags = store()
        func locations() -> [String] {
            flags[.multipleLocations] ? (1...10).map { "Location \($0)" } : ["Single Location"]
        }
        #expect(locations() == ["Single Location"])
        try flags.setOverride(.multipleLocations, to: true)
        #expect(locations().count == 10)
    }

    @Test("updateConfig replaces all remote data and leaves local data alone")
    func updateConfig() throws {
        let flags = store()
        try flags.setOverride(.greeting, to: "mine")
        flags.updateRemote(["enable_multiple_locations": "true", "greeting": "remote"])
        #expect(flags[.multipleLocations] && flags[.greeting] == "mine")
        flags.updateRemote([:])
        #expect(!flags[.multipleLocations] && flags[.greeting] == "mine")
        #expect(throws: FlagReadError.self) { try flags.string("config_categories") }
    }

    @Test("setConfig sets one key, and the same event gives the same state")
    func setConfig() throws {
        let flags = store()
        for _ in 1...2 {
            try flags.setOverride("enable_multiple_locations", to: "true")
            #expect(flags.activeOverrides.mapValues(\.value) == ["enable_multiple_locations": "true"])
        }
    }

    @Test("resetConfig clears one key and shows the remote value of now")
    func resetConfig() throws {
        let flags = store()
        try flags.setOverride(.multipleLocations, to: true)
        try flags.setOverride(.greeting, to: "mine")
        try flags.clearOverride(.multipleLocations)
        #expect(!flags[.multipleLocations] && flags[.greeting] == "mine")
        #expect(Set(flags.activeOverrides.keys) == ["greeting"])
    }

    @Test("clearConfig clears everything")
    func clearConfig() throws {
        let flags = store()
        try flags.setOverride(.multipleLocations, to: true)
        try flags.setOverride(.greeting, to: "mine")
        try flags.clearOverrides()
        #expect(flags.activeOverrides.isEmpty && !flags[.multipleLocations] && flags[.greeting] == "hello")
    }

    @Test("a state that was taken does not change with the next one")
    func immutableState() throws {
        let flags = store()
        let before = flags.snapshot()
        try flags.setOverride(.multipleLocations, to: true)
        #expect(!before[.multipleLocations] && flags.snapshot()[.multipleLocations])
    }

    @Test("onChange calls until its token is closed, with remote and with local news")
    func onChange() throws {
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
        let other = Mutex(0)
        let second = flags.onChange(of: .greeting) { _ in other.withLock { $0 += 1 } }
        try flags.setOverride(.greeting, to: "last")
        #expect(Clock.wait { other.withLock { $0 } == 1 })
        second.cancel()
        #expect(seen.withLock { $0.count } == count)
    }

    @Test("config_categories becomes the screen of categories; what it has beyond is passed over")
    func configView() throws {
        let catalog = store().snapshot().catalog
        #expect(catalog.categories.map(\.name.string) == ["Location"])
        let item = try #require(catalog.item("enable_multiple_locations"))
        #expect(item.title?.string == "Multiple Locations" && item.details?.string == "Aliquip ullamco et cupidatat.")
        #expect(catalog.problems.isEmpty)
    }

    @Test("the values of an item are split at the bars, and the one in use is marked")
    func configSelectView() throws {
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

    @Test(
        "a category list that changes remotely changes what may be chosen, and an override it no longer offers is stale"
    )
    func catalogFromRemote() throws {
        let flags = store()
        try flags.setOverride("theme", to: "retired")
        let items = #"[{"key": "theme", "value": "plain|festive"}]"#
        flags.updateRemote(["theme": "plain", "config_categories": #"[{"category": "Look", "items": \#(items)}]"#])
        let board = flags.board
        #expect(board.catalog.categories.map(\.name.string) == ["Look"])
        #expect(board.facts(of: "theme").state == .stale(#""retired" is no longer one of the options"#))
    }

    @Test("what an SDK has as defaults and as remote values is merged, remote last, and handed over")
    func fetchFromSDK() {
        let (defaults, remote) = (["greeting": "default", "ratio": "2"], ["greeting": "remote"])
        let flags = place.store()
        flags.updateRemote(defaults.merging(remote) { _, remote in remote })
        #expect(flags[.greeting] == "remote" && flags[.ratio] == 2)
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
    }

    @Test("what the menu of another process chooses is on the app's screen")
    func menuOfAnotherProcess() async throws {
        let flags = store()
        var changes = flags.changes(of: .multipleLocations).makeAsyncIterator()
        _ = try place.menu.apply([.set(key: "enable_multiple_locations", value: "true")])
        #expect(await changes.next()?.new == true)
        _ = try place.menu.apply([.clearAll])
        #expect(await changes.next()?.new == false)
    }
}
