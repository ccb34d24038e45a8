import Flags
import Testing

/// The tests of the article about testing, word for word.
struct TestingArticleTests {
    private let shared = FlagStore.inMemory()

    @Test func `an override wins over remote`() async throws {
        let flags = FlagStore.inMemory([.set(.maximumItemCount, to: 42)])
        try await flags.setOverride(.maximumItemCount, to: 3)
        #expect(flags[.maximumItemCount] == 3)
        try await flags.clearOverride(.maximumItemCount)
        #expect(flags[.maximumItemCount] == 42)
    }

    @Test(arguments: [false, true]) func `the title follows the flag`(isMultiple: Bool) async {
        await shared.withOverrides([.set(.multipleLocations, to: isMultiple)]) {
            await Task.yield()
            #expect(title(shared) == (isMultiple ? "Locations" : "Location"))
        }
    }

    @Test func `text that is not a number keeps the default`() {
        let flags = FlagStore.inMemory([.set("maximum_item_count", to: "many")])
        #expect(flags[.maximumItemCount] == 10)
        #expect(flags.explain(.maximumItemCount).winner == .default)
    }

    @Test func `changes are reported`() async throws {
        let flags = FlagStore.inMemory()
        var changes = flags.changes(of: .multipleLocations).makeAsyncIterator()
        try await flags.setOverride(.multipleLocations, to: true)
        let change = await changes.next()
        #expect(change == FlagChange(key: "enable_multiple_locations", old: false, new: true, layer: .override))
    }
}
