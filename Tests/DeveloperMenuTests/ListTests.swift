import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The list: its content and moving in it.
@Suite struct ListTests {
    @Test(arguments: [
        ("", 0), ("j", 1), ("<down>", 1), ("<c-n>", 1), ("jj", 2), ("jjk", 1), ("k", 0), ("<up>", 0),
        ("jjjjjjjj", 4), ("G", 4),
        ("<end>", 4), ("Gg", 0), ("G<home>", 0), ("<tab>", 1), ("<tab><tab>", 3), ("<tab><tab><tab>", 3),
        ("l", 1), ("G<s-tab>", 3), ("Ghh", 1), ("jj<s-tab>", 1), ("jj<s-tab><s-tab>", 0),
        ("<s-tab>", 0), ("<pgdn>", 4), ("<pgdn><pgup>", 0), ("<c-f>", 4), ("G<c-b>", 0), ("<c-d>", 4), ("G<c-u>", 0),
    ])
    func moves(keys: String, index: Int) {
        var menu = MenuDriver()
        #expect(menu.effects(of: keys) == [])
        #expect(menu.listedKeys == MenuDriver.sampleKeys)
        #expect(menu.selectedKey == MenuDriver.sampleKeys[index])
    }

    /// 100 categories with one flag each take three lines per flag, so a page must count lines, not flags.
    private static let tall: RemoteSnapshot = {
        let categories = (0..<100).map { #"{"category": "C\#($0)", "items": [{"key": "k\#($0)"}]}"# }
        return .snapshot("[\(categories.joined(separator: ","))]")
    }()

    @Test func `paging skips no flag`() {
        var menu = MenuDriver(Self.tall)
        var words: Set<Substring> = []
        for _ in 0...40 {
            for line in menu.lines { words.formUnion(line.split(separator: " ")) }
            menu.press("<pgdn>")
        }
        #expect(menu.selectedKey == "k99")
        #expect(menu.listedKeys.filter { !words.contains($0[...]) } == [], "paging down shows every flag")
        for _ in 0...40 { menu.press("<pgup>") }
        #expect(menu.selectedKey == "k0")
    }

    @Test func `selection and cursor stay on the screen`() {
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 10), Size(columns: 120, rows: 30)] {
            var menu = MenuDriver(Self.tall, columns: size.columns, rows: size.rows)
            for key in "jjjjjjjjjjjjjjjjjjjjjjjjjkkkkkkkkkkkGkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkgj" {
                menu.press(String(key))
                #expect(menu.textAtCursor?.contains(menu.selectedKey ?? "?") == true, "\(size) after \(key)")
            }
        }
    }

    /// The first flag of a category is shown with the category's name.
    @Test func `moving up shows the category header`() {
        let menu = MenuDriver(Self.tall, pressing: "Gkkkkkkkkkkkkkkkkk")
        let row = menu.state.screen.cursor.map { menu.lines[$0.row - 1] }
        #expect(row?.contains("C82") == true, "\(row ?? "no cursor")")
    }

    /// In the compact layout an error covers a line of the list, but never the selected one.
    @Test(arguments: [Event.key("/"), .remote(.fetchFailed(id: 0, errors: ["shop.json: gone."]))])
    func `extra line never hides the selection`(event: Event) {
        var menu = MenuDriver(Self.tall, columns: 40, rows: 10, pressing: "jjj")
        menu.happens(event)
        let rows = menu.lines[2..<9]
        #expect(rows.contains { $0.contains("k3") }, "\(rows)")
        #expect(menu.lines[9].contains("?") || menu.state.mode == .filter)
    }

    /// The end of an error says what to do, so the error wraps.
    @Test func `error wraps to at most three lines`() {
        let sentence =
            "overrides.json could not be written: no space left on the device. The 14 overrides there are intact. "
            + "Free some space, then save again."
        var menu = MenuDriver(Self.tall)
        menu.happens(.store(.read(OverrideTable(), error: sentence)))
        let shown = menu.lines[1...3].map { $0.trimmed }.joined(separator: " ")
        #expect(shown.hasPrefix("! \(sentence)"), "\(shown)")
        #expect(menu.textAtCursor?.contains("k0") == true)
        menu.happens(.store(.read(OverrideTable(), error: String(repeating: "long ", count: 200))))
        #expect(menu.lines[3].hasSuffix("…"), "an error takes at most three lines")
        #expect(menu.happens(.store(.read(OverrideTable(), error: nil))).lines[1].contains("C0"))
    }

    // MARK: overridden only

    @Test func `overridden only keeps the selection`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "gone_key": "1"], pressing: "jjm")
        #expect(menu.listedKeys == ["login_variant", "gone_key"])
        #expect(menu.selectedKey == "login_variant")
        #expect(menu.lines[1].hasSuffix("what you changed"))
        #expect(menu.press("m").listedKeys == MenuDriver.sampleKeys + ["gone_key"])
        #expect(menu.selectedKey == "login_variant")
    }

    @Test func `changed flag stays listed until the list is rebuilt`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"], pressing: "mx")
        #expect(menu.listedKeys == ["login_variant"], "the last flag stays listed when its override is reset")
        #expect(menu.saved == [:])
        #expect(menu.press("<space>").saved == ["login_variant": "variant_a"], "and can be overridden again")
        #expect(menu.press("xm").listedKeys == MenuDriver.sampleKeys)
        #expect(menu.press("m").listedKeys == [])
    }

    @Test func `selected flag stays listed after an external change`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "greeting_text": "Hi"], pressing: "m")
        menu.happens(.store(.read(OverrideTable(revision: 9), error: nil)))
        #expect(menu.listedKeys == ["login_variant"], "the flag that is not selected disappears with its override")
        #expect(menu.selectedKey == "login_variant")
    }

    /// A flag found by its value stays among the matches when the value changes.
    @Test func `changed flag stays among the matches`() {
        var menu = MenuDriver(pressing: "/va<enter>")
        #expect(menu.listedKeys.first == "login_variant")
        #expect(menu.press("<esc>/control<enter><space>").value("login_variant") == "variant_a")
        #expect(menu.listedKeys == ["login_variant"])
        #expect(menu.press("/<right><bs>").listedKeys == [], "a new filter text removes the changed flag")
    }

    @Test func `changed first reorders only on request`() {
        var menu = MenuDriver(overrides: ["maximum_item_count": "10"], pressing: "o<space>")
        #expect(menu.saved["enable_multiple_locations"] == "true")
        let keys = [
            "maximum_item_count", "enable_multiple_locations", "login_screen", "login_variant", "greeting_text",
        ]
        #expect(menu.listedKeys == keys)
        #expect(menu.state.list.rows[2...].first?.heading == .category(0), "the toggled flag stays in its category")
        #expect(menu.press("gx").listedKeys == keys)
        #expect(menu.press("oooo").listedKeys.first == "enable_multiple_locations")
        #expect(menu.state.list.rows.first?.heading == .overridden)
    }

    @Test func `clearing all leaves an empty list with a hint`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"], pressing: "mCy")
        #expect(menu.listedKeys == [] && menu.selectedKey == nil)
        #expect(menu.missing("You changed nothing.", "m shows all flags; ") == [])
        #expect(menu.effects(of: "<space><enter>xijkG<pgdn><tab>nX") == [])
        #expect(menu.press("<esc>").listedKeys == MenuDriver.sampleKeys)
        #expect(menu.selectedKey == "login_variant", "the previously selected flag is selected again")
    }

    @Test func `unbound key shows a message`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "Z") == [])
        #expect(menu.message == "Z does nothing here. ? shows every key.")
        #expect(menu.press("j").message == nil, "the next key removes a message")
    }

    // MARK: the explanation

    @Test(arguments: ["<esc>", "q", "i"])
    func `keys close the explanation`(key: String) {
        var menu = MenuDriver()
        #expect(menu.effects(of: "i\(key)") == [])
        #expect(menu.state.mode == .list)
        #expect(menu.state.ending == nil)
    }

    /// A heading shows how many of its flags are overridden or shown.
    @Test func `headings count overridden and shown flags`() {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        #expect(menu.lines.contains { $0.contains("Login") && $0.contains("1 of 2 changed") })
        #expect(menu.press("<home>p").lines.contains { $0.contains("Login") && $0.contains("1 of 2 changed") })
        menu.happens(.line(.flagChosen("login_screen")))
        #expect(menu.press("p").lines.contains { $0.contains("Login") && $0.contains("1 of 2 shown") })
    }

    /// A flag cleared in the list of overridden flags stays listed until the list is rebuilt.
    @Test(arguments: [80, 50])
    func `cleared flag stays listed as cleared`(columns: Int) {
        var menu = MenuDriver(
            columns: columns, overrides: ["login_variant": "variant_a", "maximum_item_count": "10"])
        #expect(menu.press("mx").selectedKey == "login_variant")
        #expect(menu.lines.contains { $0.contains("Login variant") && $0.contains("reset") })
        #expect(!menu.press("u").lines.dropLast(2).contains { $0.contains("reset") })
        #expect(menu.press("xmm").listedKeys == ["maximum_item_count"])
    }

    @Test(
        arguments: [
            ("enable_sync", #""title": "Sync", "description": "Syncs.""#, " enable_sync · bool · Syncs. "),
            ("enable_sync", #""owner": "ana""#, " enable_sync · bool "),
            (String(repeating: "long_", count: 20), #""description": "Syncs.""#, " long_long_"),
        ] as [(String, String, String)])
    func `line below the list shows key type and description`(key: String, members: String, detail: String) {
        let catalog = RemoteSnapshot.catalog(key, #""value": "true|false", \#(members)"#)
        let menu = MenuDriver(.snapshot(#"{"\#(key)": "true", \#(catalog)}"#))
        #expect(menu.lines[22].hasPrefix(detail), "\(menu.lines[22])")
    }

    /// A message that is too long for one line covers the end of the list; the list does not move.
    @Test func `long message is shown whole`() {
        var menu = MenuDriver()
        let rest = "and it goes on until it is far too long for one line of eighty columns"
        menu.happens(.store(.moveRefused(id: 0, reason: "This is a sentence, \(rest).", isAtEnd: false)))
        #expect(menu.lines[21].hasPrefix(" This is a sentence,"))
        #expect(menu.lines[22].hasSuffix("eighty columns."))
        #expect(menu.lines[23].contains("? help"))
        #expect(menu.press("G").lines[23].contains("? help"))
        #expect(
            menu.lines[22].contains("What the first screen says."),
            "the message is replaced by the detail of the selected flag")
        menu.happens(.store(.moveRefused(id: 0, reason: String(repeating: "\(rest) ", count: 9), isAtEnd: false)))
        #expect(menu.lines[22].hasSuffix("M shows all of it."))
        #expect(menu.textAtCursor?.contains("greeting_text") == true, "the selection stays in view")
    }

    @Test func `small screen wraps a message`() {
        var menu = MenuDriver(columns: 40, rows: 10)
        let reason = "Nothing was changed, because there was nothing at all to undo or redo."
        menu.happens(.store(.moveRefused(id: 0, reason: reason, isAtEnd: false)))
        #expect(menu.lines[8].contains("Nothing was changed,") && menu.lines[9].contains("undo or redo."))
    }
}

extension String {
    fileprivate var trimmed: String { String(drop(while: { $0 == " " })) }
}

@Suite struct SmallScreenTests {
    /// Below the smallest size, the user cannot see what a key would change.
    @Test func `only quit works below the smallest size`() {
        var menu = MenuDriver(columns: 39, rows: 9, pressing: "<space>C/x")
        #expect(menu.saved == [:] && menu.state.mode == .list && menu.effects == [])
        #expect(menu.press("q").state.isFinished)
    }

    /// A message of several lines does not move the list, and the selection stays in view, also at the end.
    @Test(arguments: [(80, 24), (40, 10), (50, 30)])
    func `a long message never moves the list`(columns: Int, rows: Int) {
        var menu = MenuDriver(
            .snapshot("{" + (1...60).map { #""flag_\#($0)": "true""# }.joined(separator: ",") + "}"), columns: columns,
            rows: rows)
        for keys in ["", "jjj", "<pgdn>", "G"] {
            menu.press(keys)
            let before = menu.lines
            let (top, height) = (menu.state.list.top, menu.state.layout.list.rows)
            let text = String(repeating: "A message that needs more than a line. ", count: 3)
            menu.happens(.remote(.notCached(reason: text)))
            #expect(menu.state.list.top == top && menu.state.layout.list.rows == height)
            let shown = menu.lines.enumerated().filter { $0.element == before[$0.offset] }.map(\.offset)
            #expect(shown.count >= rows - 4, "\(menu.lines)")
            #expect(menu.lines.contains { $0.contains(">") }, "the selection is in view")
            #expect(menu.lines.contains { $0.contains("A message that needs") || $0.contains("(M)") })
            menu.press("<esc>")
        }
    }
}
