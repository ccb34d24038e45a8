import Testing

@testable import FlagModel

/// Which flags are secret.
@Suite struct SecretFlagsTests {
    private static let catalog = """
        [{"category": "A", "items": [{"key": "marked", "secret": true}, {"key": "open", "secret": false},
        {"key": "unclear", "secret": "yes"}, {"key": "plain"}]}]
        """

    @Test func `the catalog marks flags, and an invalid mark counts`() throws {
        let catalog = try #require(try RemoteDocument(parsing: Array(Self.catalog.utf8)).catalog)
        let secret = catalog.items.map(\.key.string).filter { SecretFlags().contains($0, in: catalog) }
        #expect(secret == ["marked", "unclear"])
        #expect(catalog.issues.count == 1)
        #expect(!SecretFlags().areNone(in: catalog))
        #expect(SecretFlags().areNone(in: .empty))
        #expect(!SecretFlags(patterns: ["a"]).areNone(in: .empty))
    }

    @Test(arguments: [
        ("api_token", "*_token", true), ("API_TOKEN", "*_token", true), ("api_token_2", "*_token", false),
        ("api_token_2", "*token*", true), ("token", "*token*", true), ("a.b.c", "a.*.c", true), ("a.c", "a.*.c", false),
        ("aba", "ab*ba", false), ("abba", "ab*ba", true), ("x", "*", true), ("", "*", true), ("x", "", false),
        ("key", "key", true), ("key2", "key", false), ("a**b", "a**b", true), ("secret_url", "secret*", true),
    ])
    func `a star in a pattern is any text`(key: String, pattern: String, isSecret: Bool) {
        #expect(SecretFlags(patterns: [pattern]).contains(key, in: .empty) == isSecret)
    }
}
