import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Flags that code declares, in the menu and in filters, and the changes of running apps.
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
            let text = menu.lines.joined(separator: "\n")
            #expect(text.contains("Checkout") && text.contains("Express") && text.contains(words), "\(text)")
            #expect(!text.contains("other remote values"), "the remote values are the same")
        }
        menu.press("<space>")
        #expect(menu.store.table.overrides["a"]?.value == "true")
    }

    private static func app(_ id: String, _ use: FlagUse) -> RunningApp {
        RunningApp(
            id: id, name: "shop", process: 42, startedAt: 100,
            flags: [DeclaredFlag(key: "a", type: .bool, defaultValue: "false", use: use)])
    }

    @Test func `starts, ends, new values and rejections are changes of apps`() {
        let start = FlagUse(value: "false", layer: .default, since: 100, readAt: 101, wasRead: true)
        let unread = FlagUse(value: "true", layer: .override, since: 200, readAt: nil, wasRead: true)
        let read = FlagUse(value: "true", layer: .override, since: 200, readAt: 203, wasRead: true)
        let rejected = FlagUse(
            value: "false", layer: .default, since: 300, readAt: 301, wasRead: true, rejection: "No bool.",
            rejectedValue: "x")
        func words(_ old: FlagUse?, _ new: FlagUse?) -> [String] {
            AppChange.between(old.map { [Self.app("1", $0)] } ?? [], new.map { [Self.app("1", $0)] } ?? []).map(\.words)
        }
        #expect(words(nil, start) == ["shop (42) started, 1 declared flag"], "first values are no changes")
        #expect(words(start, start) == [] && words(start, unread) == [])
        #expect(words(unread, read) == ["shop (42) took a true (override) after 3 ms"])
        #expect(words(read, rejected) == ["shop (42) rejected a: No bool."])
        #expect(words(read, nil) == ["shop (42) ended"])
        let again = AppChange.between([Self.app("1", start)], [Self.app("2", start)]).map(\.words)
        #expect(again == ["shop (42) ended", "shop (42) started, 1 declared flag"], "a process id may be used again")
        let json = AppChange(app: Self.app("1", read), kind: .took(key: "a", read)).json(at: MenuDriver.now)
            .text(indented: false)
        #expect(json.contains(#""event":"took","app":"shop","process":42,"key":"a","value":"true""#), "\(json)")
        #expect(json.contains(#""milliseconds":3,"reason":null"#), "\(json)")
    }
}
