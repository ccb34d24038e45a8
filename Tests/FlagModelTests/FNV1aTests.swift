import FlagModel
import Testing

@Suite struct FNV1aTests {
    /// Test vectors of the authors, http://www.isthe.com/chongo/tech/comp/fnv/.
    @Test(
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func `hash matches the test vectors`(text: String, hash: UInt64) {
        #expect(FNV1a.hash(of: Array(text.utf8)) == hash)
    }
}
