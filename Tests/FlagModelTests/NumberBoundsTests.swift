import FlagModel
import Testing

@Suite struct NumberBoundsTests {
    private func bounds(_ minimum: String?, _ maximum: String?) -> NumberBounds? {
        NumberBounds(minimum: minimum.map { FlagText($0) }, maximum: maximum.map { FlagText($0) })
    }

    @Test func `empty bounds are nil`() {
        #expect(bounds("2", "1") == nil)
        #expect(bounds(nil, nil) == nil)
        #expect(bounds("1", "1")?.invalidReason(to: "1") == nil)
    }

    @Test(
        arguments: [
            ("5", "50", "4", "Too small: it must be 5 to 50."), ("5", "50", "5.0", nil), ("5", "50", "50", nil),
            ("5", "50", "5e1", nil), ("5", "50", "51", "Too large: it must be 5 to 50."),
            ("0", nil, "-0.1", "Too small: it must be at least 0."),
            // These integers above 2^53 differ by 1, but are equal as doubles.
            (nil, "9007199254740992", "9007199254740993", "Too large: it must be at most 9007199254740992."),
        ] as [(String?, String?, String, String?)])
    func `numbers out of bounds are invalid`(minimum: String?, maximum: String?, text: String, invalidReason: String?) {
        #expect(bounds(minimum, maximum)?.invalidReason(to: text) == invalidReason)
    }

    @Test func `bounds are read from the catalog`() throws {
        let remote = try RemoteDocument(
            parsing: Array(
                """
                [{"category": "A", "items": [
                {"key": "both", "type": "int", "min": 5, "max": 50},
                {"key": "one", "min": -1e2}, {"key": "other", "max": 1e3},
                {"key": "wrong", "min": "5", "max": null},
                {"key": "crossed", "min": 2, "max": 1},
                {"key": "text", "type": "string", "min": 1}]}]
                """.utf8))
        let catalog = try #require(remote.catalog)
        // Words spell numbers as in the catalog.
        #expect(
            catalog.items.map { $0.bounds?.summary } == ["5 to 50", "at least -1e2", "at most 1e3", nil, nil, nil])
        #expect(
            remote.issues.map(\.description) == [
                #"line 4, column 25: "min" is a string and was ignored; expected a number"#,
                #"line 5, column 1: "min" is above "max"; both were ignored"#,
                #"line 6, column 1: "min" and "max" do not apply to the type string and were ignored"#,
            ])
    }

    @Test func `bounds apply to numbers only`() throws {
        let document = """
            {"i": 7, "s": "7x", "config_categories": [{"category": "A", "items": [
              {"key": "i", "max": 8}, {"key": "s", "max": 8}]}]}
            """
        let remote = try RemoteDocument(parsing: Array(document.utf8))
        var board = FlagBoard()
        board.replaceSnapshot(RemoteSnapshot(documents: [remote]))
        let facts = try ["i", "s"].map { key in board.facts(at: try #require(board.place(of: FlagText(key)))) }
        #expect(facts[0].invalidReason(to: "9") == "Too large: it must be at most 8.")
        #expect(facts[1].bounds == nil && facts[1].invalidReason(to: "9") == nil)
    }
}
