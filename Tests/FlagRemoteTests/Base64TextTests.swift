import FlagRemote
import Testing

/// Base64 in URLs and messages.
struct Base64TextTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648, section 10`(text: String, encoded: String) {
        #expect(Base64Text.text(text.utf8) == encoded)
        #expect(Base64Text.bytes(encoded) == Array(text.utf8))
        #expect(Base64Text.bytes(encoded.filter { $0 != "=" }) == Array(text.utf8))
    }

    @Test func `URLs have their own alphabet; both alphabets are read`() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect(Base64Text.text(bytes) == "++//" && Base64Text.urlText(bytes) == "--__")
        #expect(Base64Text.bytes("++//") == bytes && Base64Text.bytes("--__") == bytes)
    }

    @Test(arguments: ["A", "AAAAA", "AA A", "Ä", "====A"])
    func `invalid Base64 is rejected`(text: String) { #expect(Base64Text.bytes(text) == nil) }
}
