import FlagModel
import Flags
import Testing

/// Layers and explanations.
struct LayerTests {
    @Test(arguments: FlagLayer.allCases)
    func `launch wins over override over team over remote over default`(top: FlagLayer) throws {
        let place = AppPlace()
        func has(_ layer: FlagLayer) -> Bool { layer >= top }
        _ = try place.menu.apply(has(.override) ? [.set(key: "greeting", value: "override")] : [])
        let flags = place.store(
            defaults: has(.default) ? ["greeting": "default"] : [:],
            launch: has(.launch) ? ["greeting": "launch"] : [:], team: has(.team) ? ["greeting": "team"] : [:])
        if has(.remote) { flags.updateRemote(["greeting": "remote"]) }
        #expect(flags[.greeting] == top.word)
        #expect(flags.explain(.greeting).winner == top)
        #expect(
            flags.explain(.greeting).entries.map(\.layer) == FlagLayer.allCases.filter { has($0) || $0.isInEverySetup })
    }

    @Test func `the store's defaults win over a declared default`() {
        let flags = AppPlace().store()
        #expect(flags.explain(.greeting).value(in: .default) == "hello")
        #expect(AppPlace().store(defaults: ["greeting": "table"]).explain(.greeting).value(in: .default) == "table")
    }

    @Test func `after an override is reset, the newest remote value is used`() async throws {
        let place = AppPlace()
        let flags = place.store()
        flags.updateRemote(["greeting": "then"])
        #expect(flags.remoteStatus == .loaded(at: place.clock.now()))
        try await flags.setOverride(.greeting, to: "mine")
        flags.updateRemote(["greeting": "now"])
        #expect(flags[.greeting] == "mine")
        try await flags.clearOverride(.greeting)
        #expect(flags[.greeting] == "now")
    }

    @Test func `choosing the value that a flag has without an override removes the override`() async throws {
        let flags = FlagStore.inMemory(["enable_multiple_locations": "off", "greeting": "one"])
        try await flags.choose([.set(.multipleLocations, to: true), .set(.greeting, to: "two")])
        #expect(flags.activeOverrides.mapValues(\.value) == ["enable_multiple_locations": "true", "greeting": "two"])
        try await flags.choose([.set(.multipleLocations, to: false), .set(.greeting, to: "three")])
        #expect(flags.activeOverrides.mapValues(\.value) == ["greeting": "three"])
        try await flags.choose([.set(.greeting, to: "one"), .set(.maximumItemCount, to: 10)])
        #expect(flags.activeOverrides.isEmpty)
    }

    @Test func `valid JSON of another shape does not count as a value`() {
        let flags = FlagStore.inMemory(["login_page": #"{"title":"x"}"#])
        #expect(flags[.loginScreen].label.text == "default")
        #expect(flags.explain(.loginScreen).winner == .default)
    }

    @Test func `a snapshot does not change when the store does`() async throws {
        let flags = FlagStore.inMemory(["greeting": "one"])
        let before = flags.snapshot()
        try await flags.setOverride(.greeting, to: "two")
        #expect(before[.greeting] == "one")
        #expect(flags.snapshot()[.greeting] == "two")
        #expect(before.explain(.greeting).value(in: .override) == nil)
    }

    @Test func `launch values are parsed from KEY=VALUE text, and other text is an error`() throws {
        #expect(try LaunchText.values(in: "a=1,b=x,y=z\nc=3") == ["a": "1", "b": "x", "y": "z", "c": "3"])
        #expect(throws: InvalidText(sentence: #"takes KEY=VALUE, not "nonsense""#)) {
            try LaunchText.values(in: "nonsense")
        }
    }
}
