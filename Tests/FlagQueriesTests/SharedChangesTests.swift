import FlagModel
import Testing

@testable import FlagQueries

/// What of the changes leaves in a shared state.
@Suite struct SharedChangesTests {
    private static let now = FlagTimestamp(seconds: 1_795_000_000)

    private static var table: OverrideTable {
        var context = ContextOverride()
        context.apply(.set(name: "country", value: "\"FR\""))
        context.apply(.decide(condition: "Beta", applies: true))
        let end = OverrideEnd.moment(FlagTimestamp(seconds: now.seconds + 7_200))
        return OverrideTable(
            overrides: [
                "theme": FlagOverride(value: "light", note: "BUG-1", end: end), "limit": FlagOverride(value: "7"),
                "api_token": FlagOverride(value: "s3cret"), "": FlagOverride(value: "x"),
            ], contexts: ["/home/ana/shop/remote.json": context])
    }

    private static func changes(
        keys: [String] = [], except: [String] = [], withAll: Bool = false
    ) -> SharedChanges {
        let catalog = Catalog([("C", [FlagItem(key: "theme")])])
        return SharedChanges(
            of: table, evaluations: [], app: "shop", at: now, keys: keys, except: except, withContext: withAll,
            withNotes: withAll, secrets: SecretFlags(patterns: ["api_token"]),
            in: catalog)
    }

    @Test func `secrets, attributes and notes stay`() {
        let changes = Self.changes()
        #expect(changes.entries.values == ["theme": "light", "limit": "7"])
        #expect(changes.entries.notes.isEmpty)
        #expect(changes.entries.lives == ["theme": .lasting(.seconds(7_200))])
        #expect(changes.lines == ["limit = 7", "theme = light, for 2h", #"remote.json: condition "Beta" is on"#])
        #expect(
            changes.leftOut == ["1 secret flag stays here: api_token.", "1 attribute of a context stays here."])
        #expect(!changes.sentence.contains("s3cret") && !changes.sentence.contains("FR"))
    }

    @Test func `context and notes leave on request`() {
        let changes = Self.changes(withAll: true)
        #expect(changes.entries.notes == ["theme": "BUG-1"])
        #expect(changes.entries.contexts?.sortedByKey.map(\.key) == ["remote.json"], "no path of this machine")
        #expect(changes.entries.contexts?.sortedByKey.map(\.value) == Self.table.contexts.sortedByKey.map(\.value))
        #expect(changes.lines.contains(#"theme = light, for 2h, note "BUG-1""#))
        #expect(changes.leftOut == ["1 secret flag stays here: api_token."])
    }

    @Test func `named keys leave alone, and exceptions stay`() {
        let named = Self.changes(keys: ["limit", "api_token"])
        #expect(named.entries.values == ["limit": "7"] && named.entries.contexts == [:])
        #expect(named.secretKeys == ["api_token"])
        let except = Self.changes(except: ["theme", "api_token"])
        #expect(except.entries.values == ["limit": "7"] && except.entries.lives.isEmpty)
        #expect(except.secretKeys.isEmpty && except.entries.contexts?.parts.count == 1)
    }

    @Test func `values of secret flags are hidden in the JSON of flags`() {
        let json = JSONOutput.object([
            (
                "flags",
                .array([
                    .object([
                        ("key", .string("api_token")), ("value", .string("s3cret")),
                        ("values", .object([("remote", .string("s3cret")), ("team", .null)])),
                        ("options", .array([.object([("value", .string("a"))])])), ("type", .string("string")),
                        ("apps", .array([.object(FlagJSON.app("shop (1)", "uses s3cret (launch)", isTaken: false))])),
                    ]),
                    .object([("key", .string("theme")), ("value", .string("light"))]),
                ])
            ),
            ("overrides", .object([("api_token", .object([("value", .string("s3cret"))]))])),
            ("clients", .array([.object([("lastKey", .string("api_token")), ("lastValue", .string("s3cret"))])])),
        ])
        #expect(
            json.hidingValues { $0 == "api_token" }.text(indented: false)
                == #"{"flags":[{"key":"api_token","value":"secret","values":{"remote":"secret","team":null},"#
                + #""options":[{"value":"a"}],"type":"string","apps":[{"app":"shop (1)","status":"secret","taken":false}]},{"key":"theme","value":"light"}],"#
                + #""overrides":{"api_token":{"value":"secret"}},"#
                + #""clients":[{"lastKey":"api_token","lastValue":"secret"}]}"#)
    }
}
