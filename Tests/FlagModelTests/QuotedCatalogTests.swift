import FlagModel
import Testing

/// A catalog in a string is the same as a catalog in an array.
@Suite struct QuotedCatalogTests {
    private static let plain: [String] = [
        #"[]"#, #"[{"category":"C","items":[]}]"#,
        #"[{"category":"C","items":[{"key":"a","value":"1|2","title":"T","description":"D"},{"key":"b"}]}]"#,
        #"[ {"items" : [ {"key":"é","restart":true,"requires":["a","b"],"expires":"2027-01-01","x":[1,{"y":null}]} ],"#
            + #" "category":"Köln 日本"} ]"#,
        "[\n\t{\"category\": \"C\",\r\n\t \"items\": [\n {\"key\": \"\", \"type\": \"int\"}\n]\n}\n]\n",
    ]

    /// Catalogs with escapes of their own, with issues, and texts that are not catalogs.
    private static let others: [String] = [
        #"[{"category":"a \"quoted\" name","items":[{"key":"back\\slash"}]}]"#,
        #"[{"category":"C","items":[{"key":"a","title":"two\nlines"}]}]"#,
        #"[{"category":"C","items":[{"title":"no key"},{"key":"a"},{"key":"a"}]}]"#,
        #"[{"category":"C","items":[{"key":"a","key":"b"}]}]"#, #"[{"category":"C"}"#, #"{}"#, #"[] []"#, "", "7",
    ]

    private static func document(_ catalog: String, before: String = "") -> String {
        "{\(before)\"a\":\"1\",\"config_categories\" : \(JSONOutput.string(catalog).text()),\"b\":true}"
    }

    private static func read(_ text: String) throws -> RemoteDocument { try RemoteDocument(parsing: Array(text.utf8)) }

    /// The same JSON with another spelling of an escape.
    private static func decoded(_ text: String) -> String {
        let parts = text.split(separator: #"\""#, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.joined(separator: #"\u0022"#)
    }

    private static func expectSame(_ one: RemoteDocument, _ other: RemoteDocument) {
        #expect(one.catalog?.items == other.catalog?.items && one.catalog?.categories == other.catalog?.categories)
        #expect(one.issues == other.issues && one.isCatalogMalformed == other.isCatalogMalformed)
        #expect(one.values == other.values && one.types == other.types)
    }

    @Test(arguments: plain) func `catalog in a string equals the array`(_ catalog: String) throws {
        let array = try Self.read("{\"a\":\"1\",\"config_categories\" : \(catalog),\"b\":true}")
        Self.expectSame(try Self.read(Self.document(catalog)), array)
        #expect(array.catalog?.issues == [])
    }

    @Test(arguments: plain + others) func `spelling of escapes does not matter`(_ catalog: String) throws {
        let text = Self.document(catalog)
        Self.expectSame(try Self.read(text), try Self.read(Self.decoded(text)))
    }

    /// The key may also occur elsewhere in the document, where its value is not the catalog.
    @Test(arguments: [
        #""note":"config_categories","#, #""o":{"config_categories":"[{\"category\":\"No\",\"items\":[]}]"},"#,
        #""x":"\"config_categories\":\"[]","#,
    ])
    func `the key elsewhere is not the catalog`(_ before: String) throws {
        let text = Self.document(Self.plain[2], before: before)
        #expect(try Self.read(text).catalog?.items.map(\.key.string) == ["a", "b"])
    }

    @Test(arguments: [
        #"{"config_categories":"[]x"}"#, #"{"config_categories":"[]" "a":1}"#, #"{"config_categories":"[]"#,
    ])
    func `a malformed document stays malformed`(_ text: String) {
        #expect((try? Self.read(text))?.isCatalogMalformed != false)
    }
}
