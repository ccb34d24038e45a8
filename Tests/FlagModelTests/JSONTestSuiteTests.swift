import FlagModel
import TestSupport
import Testing

@Suite struct JSONTestSuiteTests {
    static let parsing = "json-test-suite/test_parsing"
    static let transform = "json-test-suite/test_transform"

    /// RFC 8259 and the suite allow duplicate keys. They are the only valid files that the reader rejects.
    @Test(.enabled(if: Fixtures.exists(parsing), "../shared/fixtures is not here"))
    func `files are accepted or rejected as their names say, besides duplicate keys`() throws {
        let names = Fixtures.names(in: Self.parsing)
        #expect(names.count == 318)
        let rejected = try names.filter { name in
            let bytes = try Fixtures.bytes("\(Self.parsing)/\(name)")
            do throws(JSONError) {
                _ = try JSONDocument(parsing: bytes)
                return false
            } catch {
                #expect(error.line >= 1 && error.column >= 1 && !error.issue.isEmpty, "\(name): \(error)")
                return true
            }
        }
        let duplicates = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]
        #expect(rejected.filter { $0.hasPrefix("y_") } == duplicates)
        #expect(rejected.filter { $0.hasPrefix("n_") } == names.filter { $0.hasPrefix("n_") })
    }

    @Test(.enabled(if: Fixtures.exists(transform), "../shared/fixtures is not here"))
    func `numbers keep their spelling`() throws {
        for name in Fixtures.names(in: Self.transform) where name.hasPrefix("number_") {
            let bytes = try Fixtures.bytes("\(Self.transform)/\(name)")
            let document = try JSONDocument(parsing: bytes)
            let spelled = String(decoding: bytes, as: UTF8.self).filter { !"[] \n".contains($0) }
            #expect(document.root.elements.map { $0.flagText?.string } == [spelled], "\(name)")
        }
    }

    @Test(.enabled(if: Fixtures.exists(transform), "../shared/fixtures is not here"))
    func `keys are compared by scalars and must be unique`() throws {
        func read(_ name: String) throws(JSONError) -> JSONDocument {
            try JSONDocument(parsing: (try? Fixtures.bytes("\(Self.transform)/\(name).json")) ?? [])
        }
        #expect(try read("object_key_nfc_nfd").root.count == 2)
        #expect(try read("object_key_nfd_nfc").root.count == 2)
        for name in [
            "object_same_key_different_values", "object_same_key_same_value", "object_same_key_unclear_values",
        ] {
            #expect(throws: JSONError.self) { try read(name) }
        }
        #expect(throws: JSONError.self) { try read("string_1_escaped_invalid_codepoint") }
        #expect(try read("string_with_escaped_NULL").root.elements.map { $0.text?.string } == ["A\u{0}B"])
    }
}
