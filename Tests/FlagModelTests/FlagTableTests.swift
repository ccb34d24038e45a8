import Testing

@testable import FlagModel

/// Values by key, in which an "é" of one scalar and an "é" of two are two keys.
@Suite struct FlagTableTests {
    private static let composed = "\u{e9}"
    private static let decomposed = "e\u{301}"

    @Test func `keys are compared by their bytes`() {
        var table: FlagTable<Int> = [Self.composed: 1, Self.decomposed: 2]
        #expect(Self.composed == Self.decomposed, "Swift compares by canonical equivalence")
        #expect(table.count == 2 && table[Self.composed] == 1 && table[Self.decomposed] == 2)
        #expect(table[FlagText(Self.composed)] == 1)
        table[Self.composed] = nil
        #expect(table[Self.composed] == nil && table[Self.decomposed] == 2)
        #expect(table.removeValue(forKey: Self.composed) == nil && table.count == 1)
        #expect(table != [Self.composed: 2] && table == [Self.decomposed: 2])
    }

    @Test func `tables are merged and sorted by their bytes`() {
        let one: FlagTable = ["z": 1, Self.composed: 2]
        let all = one.merging([Self.decomposed: 3, "z": 4]) { _, new in new }
        // U+0065, U+007A, U+00E9
        #expect(all.sortedByKey.map(\.value) == [3, 4, 2])
        #expect(all.keySet == [FlagText(Self.decomposed), "z", FlagText(Self.composed)])
        #expect(all.filter { $0.key == "z" } == ["z": 4] && all.mapValues { $0 + 1 }["z"] == 5)
        #expect(Set(all.keys.map { Array($0.utf8) }) == [[0x65, 0xCC, 0x81], [0x7A], [0xC3, 0xA9]])
    }

    @Test func `edits change one of two keys that look the same`() {
        var overrides: FlagTable<FlagOverride> = [Self.composed: FlagOverride(value: "1")]
        overrides.apply(.set(key: Self.decomposed, value: "2"))
        #expect(overrides[Self.composed]?.value == "1" && overrides[Self.decomposed]?.value == "2")
        overrides.apply(.clear(key: Self.composed))
        #expect(overrides.mapValues(\.value) == [Self.decomposed: "2"])
    }
}
