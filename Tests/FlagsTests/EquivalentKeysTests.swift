import Flags
import Testing

extension FlagKey<Int> {
    fileprivate static let composed = FlagKey("caf\u{e9}", default: 0)
    fileprivate static let decomposed = FlagKey("cafe\u{301}", default: 0)
}

/// An "é" of one scalar and an "é" of two are two keys for an app, too.
@Suite(.timeLimit(.minutes(10))) struct EquivalentKeysTests {
    private let composed = "caf\u{e9}"
    private let decomposed = "cafe\u{301}"

    @Test func `an app reads and overrides two flags`() async throws {
        let flags = FlagStore.inMemory(["caf\u{e9}": "1", "cafe\u{301}": "2"])
        #expect(flags[.composed] == 1 && flags[.decomposed] == 2)
        try await flags.setOverride(composed, to: "3")
        #expect(flags[.composed] == 3 && flags[.decomposed] == 2)
        #expect(flags.explain(decomposed).winner == .remote)
        try await flags.setOverride(decomposed, to: "4")
        #expect(flags.activeOverrides.count == 2)
        try await flags.clearOverride(composed)
        #expect(flags[.composed] == 1 && flags[.decomposed] == 4)
    }

    @Test func `a change is reported for the key that changed`() async throws {
        let flags = FlagStore.inMemory(["caf\u{e9}": "1", "cafe\u{301}": "2"])
        var changes = flags.changes(of: decomposed).makeAsyncIterator()
        try await flags.setOverride(composed, to: "5")
        try await flags.setOverride(decomposed, to: "6")
        let change = await changes.next()
        #expect(change.map { Array($0.key.utf8) } == Array(decomposed.utf8))
        #expect(change?.old == "2" && change?.new == "6")
    }
}
