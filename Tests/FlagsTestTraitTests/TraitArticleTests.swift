import Flags
import FlagsTestTrait
import Testing

// The code of the article on tests and of the comments in FlagsTestTrait, word for word.

extension FlagKey<Bool> {
    static let multipleLocations = FlagKey("enable_multiple_locations", default: false)
}

extension FlagKey<Int> {
    static let maximumItemCount = FlagKey("maximum_item_count", default: 10)
}

func title(_ flags: FlagStore) -> String {
    flags[.multipleLocations] ? "Locations" : "Location"
}

@Suite(.flags(.set(.maximumItemCount, to: 3)))
struct LocationTests {
    @Test(.flags(.set(.multipleLocations, to: true))) func `the title is in the plural`() {
        #expect(title(.main) == "Locations")
    }

    @Test func `the list is short`() {
        #expect(FlagStore.main[.maximumItemCount] == 3)
    }
}
