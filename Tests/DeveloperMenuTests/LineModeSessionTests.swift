import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Line mode has every fact and every action of the full screen.
@Suite struct LineModeSessionTests {
    /// A menu in a state in which as many actions as possible work.
    private static func busy() -> MenuDriver {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"], pressing: "g<space>u")
        menu.happens(.remote(.fetched(id: 0, waiting: .values(1), at: MenuDriver.now, errors: [])))
        menu.press("/l<enter>")
        return menu
    }

    /// The prompt shows the title of the chosen flag as the list does, cut by columns.
    @Test(arguments: [
        ("日本語のタイトル", Charset.unicode, "日本語のタイトル: "), ("Größe der Schrift", .unicode, "Größe der Schrift: "),
        ("Größe", .ascii, "Grosse: "),
        (String(repeating: "日", count: 40), .unicode, String(repeating: "日", count: 29) + "…: "),
    ])
    func `prompt shows the title of the chosen flag`(title: String, charset: Charset, prompt: String) {
        let catalog = RemoteSnapshot.catalog("b", #""title": "\#(title)", "value": "x|y""#)
        var driver = LineModeDriver(MenuDriver(.snapshot(#"{"b": "x", \#(catalog)}"#), charset: charset))
        driver.type("1")
        #expect(driver.prompt == prompt)
    }

    /// The actions of the list that work in line mode.
    private static let actions = Keymap.standard.actions(in: .list).filter { !$0.traits.contains(.needsScreen) }

    @Test(arguments: actions.map(\.id))
    func `every list action can be typed`(id: Action.ID) throws {
        let action = try #require(Keymap.standard.action(id, in: .list))
        let commands = LineModeCommands(.standard, in: .list)
        let keys = action.keys.filter { $0 != .character(" ") }.map(\.name)
        for input in LineModeCommands.words(for: action) + keys {
            guard case .action(let found) = commands.meaning(of: input) else {
                Issue.record("\(input) is unknown or ambiguous")
                continue
            }
            #expect(found.id == action.id, "\(input)")
        }
    }

    /// Commands that exist only in line mode must not shadow actions.
    @Test func `line mode commands hide no action`() {
        let commands = LineModeCommands(.standard, in: .list)
        for word in ["more", "list", "summary", "edit", "editor"] {
            if case .action(let action) = commands.meaning(of: word) {
                #expect(!LineModeCommands.words(for: action).contains(word), "\(word)")
                #expect(!action.keys.map(\.name).contains(word), "\(word)")
            }
        }
    }

    /// A typed action does to the chosen flag what its key does on the full screen.
    ///
    /// Help is printed without leaving the list, and an explanation closes after it is printed.
    @Test(arguments: actions.map(\.id).filter { $0 != .help && $0 != .explain })
    func `typed action does the same as its key`(id: Action.ID) throws {
        let action = try #require(Keymap.standard.action(id, in: .list))
        var screen = Self.busy()
        var driver = LineModeDriver(Self.busy())
        screen.press("j")
        driver.type("2")
        screen.happens(action.keys.first.map(Event.key) ?? .line(.actionChosen(action.id, in: .list)))
        let expected = screen.state
        driver.type(LineModeCommands.name(of: action))
        if let sheet = expected.sheet(StatusSheet.self) {
            // A tab closes after it is printed.
            #expect(driver.menu.state.mode == .list)
            #expect(driver.transcript.contains("\(sheet.tab.rawValue.capitalized)."))
        } else {
            #expect(driver.menu.state.mode == expected.mode)
        }
        #expect(driver.menu.state.list == expected.list)
        #expect(driver.menu.state.ending == expected.ending)
        #expect(driver.menu.saved == screen.saved)
        #expect(driver.menu.effects.filter { $0 != .repaint }.count == screen.effects.count)
    }

    /// An action on the selected flag needs a chosen flag, because line mode does not show the selection.
    @Test func `flag actions need a chosen flag`() {
        let empty = MenuDriver(pressing: "/zzz<enter>")
        for action in Keymap.standard.actions(in: .list) {
            guard action.disabledReason(empty.state) != nil,
                action.disabledReason(Self.busy().state) != action.disabledReason(empty.state),
                !action.traits.contains(.movesSelection)
            else { continue }
            var driver = LineModeDriver(Self.busy())
            let before = driver.menu.state
            let reply = driver.reply(to: LineModeCommands.name(of: action))
            let needsFlag = reply == ["Which flag? Put its number in front, as in 3 i."]
            #expect(needsFlag == (action.traits.contains(.isAboutFlag) && action.id != .copy), "\(action.id)")
            if needsFlag { #expect(driver.menu.state == before) }
        }
    }

    @Test func `the copy sheet opens without a chosen flag`() {
        var driver = LineModeDriver(MenuDriver(overrides: ["greeting_text": "Hi"]))
        #expect(driver.reply(to: "y").contains { $0.contains("bug report: ") }, "\(driver.printed)")
        #expect(driver.prompt == "Copy: ")
    }

    /// Line mode prints every word of the full-screen explanation; symbols may be missing.
    @Test(arguments: [
        "enable_multiple_locations", "login_screen", "login_variant", "maximum_item_count", "greeting_text",
        "long_gone",
    ])
    func `line mode prints every fact of the explanation`(key: String) {
        let overrides = [
            "login_variant": "variant_z", "greeting_text": "Hello", "maximum_item_count": "x", "long_gone": "1",
        ]
        let menu = MenuDriver(overrides: overrides, launch: ["enable_multiple_locations": "true"])
        let facts = menu.state.facts(of: FlagText(key))
        let screen = ExplanationText(facts: facts, state: menu.state, columns: 10_000).lines
            .flatMap { Self.words($0.spans.map(\.text).joined(separator: " ")) }
        let sentences = FlagSentences(facts, at: MenuDriver.now)
        let printed = Set((sentences.full(in: menu.state) + [sentences.hint(in: menu.state)]).flatMap(Self.words))
        // Section headings, which sentences do not need.
        let missing = Set(screen).subtracting(printed).subtracting(["why", "this", "value", "options"])
        #expect(missing == [], "add it to FlagSentences.swift")
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }

    /// The number of one option may be the value of another option.
    @Test func `ambiguous number is rejected with a hint`() {
        var driver = LineModeDriver(MenuDriver(.oneFlag("level", value: "0", options: "0|1|2")))
        driver.type("1", "1")
        #expect(driver.menu.saved == [:])
        #expect(driver.printed == ["1 is option 1, 0, and the value of option 2. = 1 sets 1, = 0 sets 0."])
        driver.type("= 1")
        #expect(driver.menu.saved == ["level": "1"])
    }

    @Test func `numbers keep their flags after a change`() {
        var driver = LineModeDriver(
            MenuDriver(overrides: ["enable_multiple_locations": "true", "login_variant": "variant_a"]))
        driver.type("m")
        #expect(driver.printed.contains { $0.hasPrefix("2. Login variant") })
        driver.type("1 x", "2 x")
        #expect(driver.menu.saved == [:])
        driver.type("1 x")
        #expect(driver.printed == ["Multiple locations is not overridden."])
    }

    @Test func `concurrent change is printed and disturbs no edit`() {
        var driver = LineModeDriver()
        driver.type("5", "open")
        var table = OverrideTable(revision: 1, overrides: [:])
        table.overrides["login_variant"] = FlagOverride(value: "variant_b", setAt: MenuDriver.now, setBy: "ben")
        driver.menu.store.adopt(table)
        driver.menu.happens(.store(.read(table, error: nil)))
        driver.type("Hi")
        #expect(
            driver.printed.first?.hasPrefix("Meanwhile: Login variant: variant_b, changed, was control.") == true,
            "\(driver.printed)")
        #expect(driver.menu.saved == ["greeting_text": "Hi", "login_variant": "variant_b"])
    }

    @Test(arguments: [
        "a\u{1B}[2J\u{1B}]52;c;aGk=\u{7}b", "a\u{9B}31mb", "a\rb", "a\nb", "a\tb", "a\0b\u{7F}\u{8}", "a\u{202E}b",
    ])
    func `external text prints no control characters`(text: String) {
        let quoted = JSONOutput.string(text).text()
        let document = """
            {\(quoted): \(quoted), "config_categories": [{"category": \(quoted), "items": [
              {"key": \(quoted), "title": \(quoted), "description": \(quoted), "value": "one|two", "owner": \(quoted),
               "expires": \(quoted), "requires": [\(quoted)]}, {"key": "free", "title": \(quoted)}]}]}
            """
        for charset in [Charset.unicode, .ascii] {
            var menu = MenuDriver(.snapshot(document), charset: charset, launch: ["free": text])
            let override = FlagOverride(value: text, setAt: MenuDriver.now, setBy: text)
            menu.happens(.store(.read(OverrideTable(revision: 1, overrides: [text: override]), error: text)))
            var driver = LineModeDriver(menu)
            driver.type(
                "1", "i", "open", "", "", "2", text, "edit", text, "", "C", "n", "/\(text)", "?\(text)", ":\(text)")
            // The terminal itself echoes typed text.
            let printed = driver.transcript.replacing(text, with: "")
            let isSafe = printed.unicodeScalars.allSatisfy { scalar in
                scalar == "\n"
                    || scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
                        && (charset == .unicode || scalar.isASCII)
            }
            #expect(isSafe, "\(printed)")
        }
    }

    @Test func `unknown letter is not a command`() {
        var driver = LineModeDriver()
        driver.type("1")
        #expect(driver.reply(to: "T") == ["\"T\" is not a command. ? lists all, = sets a value."])
        #expect(driver.menu.saved == [:])
    }

    @Test func `rejection repeats how to go back`() {
        var driver = LineModeDriver()
        driver.type("/cat:location", "set listed", "maybe")
        let isRejected = driver.printed.contains { $0.hasPrefix("None of") && $0.hasSuffix(" Enter alone goes back.") }
        #expect(isRejected, "\(driver.printed)")
    }

    @Test func `filter without match suggests a command`() {
        var driver = LineModeDriver()
        #expect(driver.reply(to: "/zzzz") == ["No flag matches \"zzzz\". Type \"show all\" for all flags."])
        #expect(driver.reply(to: "show all").count > 3)
        #expect(driver.menu.state.list.filter.text.isEmpty)
        #expect(driver.reply(to: "/") == ["An empty line clears the filter."])
    }

    /// The change report covers an undo, so its message is omitted. Other messages may contain an arrow.
    @Test func `only undo messages are omitted`() throws {
        var driver = LineModeDriver()
        let changed = FlagOverride(value: "on -> off")
        let table = OverrideTable(revision: 1, overrides: ["greeting_text": changed])
        let change = OverrideChange(key: "greeting_text", old: nil, new: changed)
        driver.menu.happens(.store(.moved(id: 0, table, changes: [change], notice: nil)))
        #expect(!driver.reply(to: "summary").contains { $0.contains("Hello -> on") })
        driver.menu.happens(.terminal(.copied(id: 0, "a: b -> c", what: "value", .sent)))
        let replies = driver.reply(to: "summary")
        #expect(replies.contains { $0.contains("a: b -> c") }, "\(replies)")
    }

    @Test func `unknown long command is quoted shortened`() {
        var driver = LineModeDriver()
        let line = String(repeating: "a\u{1B}[31mb", count: 400)
        let reply = driver.reply(to: line)
        #expect(reply.count == 1 && reply[0].count < 150, "\(reply)")
        #expect(reply[0].hasPrefix("\"a^[[31mb"), "\(reply)")
    }

    /// A single search word is not a command, because it may be ambiguous.
    @Test func `one search word suggests actions and several run one`() {
        var driver = LineModeDriver(MenuDriver(overrides: ["login_variant": "variant_a"]))
        #expect(
            driver.reply(to: "settings") == [
                "\"settings\" may mean:", "store: The paths of all files, and preferences.",
            ])
        #expect(driver.reply(to: "reset all").contains { $0.hasPrefix("Reset 1 override?") })
        driver.type("y")
        #expect(driver.menu.saved == [:])
    }
}
