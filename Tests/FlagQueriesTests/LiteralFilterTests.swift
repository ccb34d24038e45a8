import FlagFormats
import FlagModel
import Testing

@testable import FlagQueries

/// Which flags a filter matches for commands and bulk actions.
@Suite struct LiteralFilterTests {
    private static let document = try? RemoteDocument(
        ofAnyFormat: Array(
            #"""
            {"chat_enabled": "false", "child_safety_gate": "true", "theme": "dark", "motd": "Chat with us", "plain": "x",
             "config_categories": [
               {"category": "Chatter", "items": [
                 {"key": "chat_enabled", "value": "true|false", "title": "Live Chat"},
                 {"key": "child_safety_gate", "value": "true|false", "title": "Children apart"},
                 {"key": "theme", "value": "dark|light", "description": "Also of the CHAT window."}]},
               {"category": "Café", "items": [{"key": "motd"}, {"key": "plain"}]}]}
            """#.utf8))

    private static let board = FlagBoard(
        snapshot: RemoteSnapshot(documents: [document].compactMap { $0 }),
        launch: [:], overrides: ["theme": FlagOverride(value: "light"), "old_chat": FlagOverride(value: "1")])

    @Test(
        arguments: [
            (" ", ["chat_enabled", "child_safety_gate", "theme", "motd", "plain", "old_chat"]),
            ("chat", ["chat_enabled", "theme", "motd", "old_chat"]),
            ("CHAT", ["chat_enabled", "theme", "motd", "old_chat"]),
            ("cht", []), ("live chat", ["chat_enabled"]), ("chat live", ["chat_enabled"]), ("\"chat live\"", []),
            ("\"Live chat\"", ["chat_enabled"]), ("chat !live", ["theme", "motd", "old_chat"]),
            ("chat type:bool", ["chat_enabled"]), ("chat is:overridden", ["theme", "old_chat"]),
            ("cat:chat", ["chat_enabled", "child_safety_gate", "theme"]), ("cat:CAFE", ["motd", "plain"]),
            ("cat:ctr", []),
            ("light", ["theme"]), ("layer:override", ["theme", "old_chat"]), ("!layer:remote", ["theme", "old_chat"]),
            ("value:>0", ["old_chat"]), ("value:<1.5", ["old_chat"]), ("value:>1", []),
            ("value:=TRUE", ["child_safety_gate"]),
            ("!value:e", ["theme", "motd", "plain", "old_chat"]), ("value:with", ["motd"]), ("value:=x", ["plain"]),
        ] as [(String, [String])])
    func `words match contiguous text in any case, and no word every flag`(filter: String, keys: [String]) throws {
        #expect(try Self.board.places(matching: filter).map { Self.board.key(at: $0).string } == keys)
    }

    @Test func `matches are in list order, not ranked`() throws {
        let places = try Self.board.places(matching: "chat", order: .name)
        #expect(places.map { Self.board.key(at: $0).string } == ["chat_enabled", "motd", "old_chat", "theme"])
    }

    @Test(
        arguments: [
            ("is:foo", "is: accepts overridden"), ("chat type:foo", "type: accepts bool"),
            ("layer:foo", "layer: accepts launch"), ("value:>x", "value: accepts >10"),
            ("value:", "value: needs a word."),
            ("!is:foo", "not foo"), ("is:", "is: needs a word: overridden"), ("cat:", "cat: needs a word."),
            ("!", "! needs a word."), ("\"\"", "\"\" needs a word."), ("\u{301}", "has no letters"),
        ])
    func `an unknown or empty condition is an error, not an empty result`(filter: String, words: String) {
        let error = #expect(throws: InvalidText.self) { try Self.board.places(matching: filter) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
