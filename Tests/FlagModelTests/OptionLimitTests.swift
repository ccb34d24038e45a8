import Testing

@testable import FlagModel

@Suite struct OptionLimitTests {
    private static func item(options count: Int) throws -> (item: FlagItem, issues: [DocumentIssue]) {
        let options = (0..<count).map { "v\($0)" }.joined(separator: "|")
        let document = try RemoteDocument(
            parsing: Array(#"[{"category": "C", "items": [{"key": "a", "value": "\#(options)"}]}]"#.utf8))
        let catalog = try #require(document.catalog)
        return (try #require(catalog.items.first), catalog.issues)
    }

    @Test func `1,000 options are offered as a closed list`() throws {
        let (item, issues) = try Self.item(options: FlagOption.limit)
        #expect(item.options.count == 1_000 && item.isClosedList(of: .string))
        #expect(issues.isEmpty)
    }

    @Test func `more options are cut to the first 1,000 with a warning, and any value can be set`() throws {
        let (item, issues) = try Self.item(options: 100_000)
        #expect(item.options.count == 1_000 && item.options.last?.value == "v999")
        #expect(!item.isClosedList(of: .string))
        #expect(
            issues.map(\.sentence) == [
                "\"value\" lists more than 1000 options; the first 1000 are offered, and any value can be set"
            ])
    }
}
