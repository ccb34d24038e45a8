import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Flags that code declares, in the menu and in filters.
@Suite struct DeclaredFlagsTests {
    private static func snapshot(_ seenAt: FlagTimestamp?) throws -> RemoteSnapshot {
        RemoteSnapshot(
            documents: [try RemoteDocument(parsing: Array(#"{"b": "x", "c": "1"}"#.utf8))],
            declared: DeclaredFlags([
                DeclaredFlags.Program(
                    name: "shop", seenAt: seenAt,
                    flags: [
                        DeclaredFlag(
                            key: "a", type: .bool, defaultValue: "false",
                            facts: DeclaredFlag.Facts(title: "Express", group: "Checkout")),
                        DeclaredFlag(key: "b", type: .int, defaultValue: "1"),
                    ])
            ]))
    }

    @Test(arguments: [
        ("is:declared", ["a", "b"]), ("is:undeclared", ["c"]), ("is:missing", ["a"]), ("is:mismatched", ["b"]),
        ("!is:declared", ["c"]), ("is:declared !is:missing", ["b"]),
    ])
    func `filters find flags by their declaration`(filter: String, keys: [String]) throws {
        let board = FlagBoard(snapshot: try Self.snapshot(nil), launch: [:], overrides: [:])
        #expect(try board.places(matching: filter).map { board.key(at: $0).string } == keys)
    }

    @Test func `a flag that an app declares appears in an open menu, and its details name the app`() throws {
        var menu = MenuDriver(.empty, columns: 140, rows: 40)
        let seen = FlagTimestamp(seconds: MenuDriver.now.seconds - 3 * 3_600)
        for (seenAt, words) in [(nil, "Declared by shop"), (seen, "Declared by shop, last seen 3 h ago")] {
            let content = RemoteContent(snapshot: try Self.snapshot(seenAt), fetchedAt: MenuDriver.now)
            menu.happens(.remote(.activated(content, by: .code)))
            menu.press("g")
            let text = menu.text
            #expect(text.contains("Checkout") && text.contains("Express") && text.contains(words), "\(text)")
            #expect(!text.contains("elsewhere"), "the remote values are the same")
        }
        #expect(menu.press("<space>").store.table.overrides["a"]?.value == "true")
    }
}
