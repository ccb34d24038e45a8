import Flags
import FlagsTestTrait
import Testing

extension FlagKey<Bool> {
    fileprivate static let hasSale = FlagKey("trait_sale", default: false)
}

extension FlagKey<Int> {
    fileprivate static let limit = FlagKey("trait_limit", default: 10)
}

private let shared = FlagStore.inMemory()

/// Flags of suites and tests.
@Suite(.flags(.set(.limit, to: 3), in: shared))
struct FlagTraitTests {
    @Test func `each test has the flags of its suite`() {
        #expect(shared[.limit] == 3 && !shared[.hasSale])
    }

    @Test(.flags(.set(.limit, to: 4), .set(.hasSale, to: true), in: shared))
    func `a test adds flags, and its own win`() async {
        await Task.yield()
        #expect(shared[.limit] == 4 && shared[.hasSale])
    }

    @Test(.flags(.set(.hasSale, to: true), in: shared), arguments: 1...3)
    func `each case has the flags`(number: Int) async {
        await Task.yield()
        #expect(shared[.limit] == 3 && shared[.hasSale])
    }

    @Test func `code that is not part of the test does not see its flags`() async {
        let limit = await Task.detached { shared[.limit] }.value
        #expect(limit == 10)
    }

    @Suite(.flags(.set(.hasSale, to: true), in: shared))
    struct Nested {
        @Test @MainActor func `a nested suite adds flags`() {
            #expect(shared[.limit] == 3 && shared[.hasSale])
        }
    }

    @Test(.flags(.set(.hasSale, to: true))) func `without a store, the flags are those of the main store`() {
        struct Screen { @Flag(.hasSale) var hasSale }
        #expect(Screen().hasSale && !shared[.hasSale])
    }
}
