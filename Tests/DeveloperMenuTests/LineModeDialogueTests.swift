import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The menu of lines has every fact and every action of the full screen, by construction.
@Suite struct LineModeDialogueTests {
    /// A menu in which as much as possible works.
    private static func busy() -> MenuDriver {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a"])
        menu.press("g<space>u")
        menu.happens(.remote(.fetched(id: 0, waiting: .values(1), at: MenuDriver.now, errors: [])))
        menu.press("/l<enter>")
        return menu
    }

    /// The prompt names the chosen flag as the list does, cut to the columns that it takes.
    @Test(arguments: [
        ("日本語のタイトル", Charset.unicode, "日本語のタイトル: "), ("Größe der Schrift", .unicode, "Größe der Schrift: "),
        ("Größe", .ascii, "Grosse: "),
        (String(repeating: "日", count: 40), .unicode, String(repeating: "日", count: 29) + "…: "),
    ])
    func aFlagThatWasChosenIsAskedAboutByItsTitle(title: String, charset: Charset, prompt: String) {
        let document = #"""
            {"b": "x", "config_categories": [{"category": "C", "items": [{"key": "b", "title": "\#(title)", "value": "x|y"}]}]}
            """#
        var talk = LineModeDriver(MenuDriver(.snapshot(document), charset: charset))
        talk.type("1")
        #expect(talk.prompt == prompt)
    }

    /// An action that means nothing in lines has the trait `needsScreen`.
    @Test(arguments: ActionTable.actions(in: .list).map(\.id))
    func everyActionOfTheListCanBeTyped(id: Action.ID) throws {
        let action = try #require(ActionTable.actions(in: .list).first { $0.id == id })
        guard !action.traits.contains(.needsScreen) else { return }
        let commands = LineModeCommands(.standard, in: .list)
        var ways = LineModeCommands.words(for: action)
        for key in action.keys where key != .character(" ") { ways.append(key.name) }
        for way in ways {
            guard case .action(let found) = commands.meaning(of: way) else {
                Issue.record("\(way) means nothing or several things")
                continue
            }
            #expect(found.id == id, "\(way)")
        }
    }

    /// What only lines understand takes nothing away from the actions.
    @Test func noCommandOfItsOwnHidesAnAction() {
        let commands = LineModeCommands(.standard, in: .list)
        for word in ["more", "list", "summary", "e", "edit", "editor"] {
            if case .action(let action) = commands.meaning(of: word) {
                #expect(!LineModeCommands.words(for: action).contains(word), "\(word)")
                #expect(!action.keys.map(\.name).contains(word), "\(word)")
            }
        }
    }

    /// What is typed does what its key does on the full screen, on the flag that was chosen.
    @Test(arguments: ActionTable.actions(in: .list).map(\.id))
    func whatIsTypedDoesWhatItsKeyDoes(id: Action.ID) throws {
        let action = try #require(ActionTable.actions(in: .list).first { $0.id == id })
        // Help is told without leaving the list, and an explanation closes once it was told.
        guard !action.traits.contains(.needsScreen), id != .help, id != .explain else { return }
        var screen = Self.busy()
        var talk = LineModeDriver(Self.busy())
        screen.press("j")
        talk.type("2")
        screen.happens(action.keys.first.map(Event.key) ?? .line(.actionChosen(id, in: .list)))
        let expected = screen.state
        talk.type(LineModeCommands.name(of: action))
        if case .report(let sheet) = expected.mode {
            // A report closes once it was told.
            #expect(talk.menu.state.mode == .list)
            #expect(talk.transcript.contains("\(sheet.report.title)."))
        } else {
            #expect(talk.menu.state.mode == expected.mode)
        }
        #expect(talk.menu.state.list == expected.list)
        #expect(talk.menu.state.ending == expected.ending)
        #expect(talk.menu.saved == screen.saved)
        #expect(talk.menu.effects.filter { $0 != .repaint }.count == screen.effects.count)
    }

    /// What acts on the selected flag asks for a flag to be chosen first: nobody sees which one is selected.
    @Test func nothingHappensToAFlagThatNobodyChose() {
        var empty = MenuDriver()
        empty.press("/zzz<enter>")
        for action in ActionTable.actions(in: .list) {
            guard action.disabledReason(empty.state) != nil,
                action.disabledReason(Self.busy().state) != action.disabledReason(empty.state),
                !action.traits.contains(.movesSelection)
            else { continue }
            var talk = LineModeDriver(Self.busy())
            let before = talk.menu.state
            let reply = talk.reply(to: LineModeCommands.name(of: action))
            let isAboutFlag = reply == ["Which flag? Put its number in front, as in 3 x."]
            #expect(isAboutFlag == action.traits.contains(.isAboutFlag), "\(action.id)")
            if isAboutFlag { #expect(talk.menu.state == before) }
        }
    }

    /// Every word that the full screen's explanation says about a flag is said in lines too; signs need not be.
    @Test(arguments: [
        "enable_multiple_locations", "login_screen", "login_variant", "maximum_item_count", "greeting_text",
        "long_gone",
    ])
    func everyFactOfTheExplanationIsTold(key: String) {
        let menu = MenuDriver(
            overrides: [
                "login_variant": "variant_z", "greeting_text": "Hello", "maximum_item_count": "x", "long_gone": "1",
            ],
            launch: ["enable_multiple_locations": "true"])
        let facts = menu.state.facts(of: FlagText(key))
        let screen = ExplanationText(facts: facts, state: menu.state, columns: 10_000).lines
            .flatMap { Self.words($0.spans.map(\.text).joined(separator: " ")) }
        let sentences = FlagSentences(facts, in: menu.state)
        let told = Set((sentences.full + [sentences.hint]).flatMap(Self.words))
        // Headings of parts, which sentences need not have.
        let missing = Set(screen).subtracting(told).subtracting(["why", "this", "value", "options"])
        #expect(missing == [], "say it in Linear/FlagSentences.swift")
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }

    /// An option's number and another option's value must not be taken for each other.
    @Test func aNumberThatCouldMeanTwoThingsIsAskedBack() {
        var talk = LineModeDriver(MenuDriver(.oneFlag("level", value: "0", options: "0|1|2")))
        talk.type("1", "1")
        #expect(talk.menu.saved == [:])
        #expect(talk.said == ["1 is option 1, 0, and the value of option 2. = 1 sets 1, = 0 sets 0."])
        talk.type("= 1")
        #expect(talk.menu.saved == ["level": "1"])
    }

    @Test func numbersStayWithTheFlagsThatTheyWereToldWith() {
        var talk = LineModeDriver(
            MenuDriver(overrides: ["enable_multiple_locations": "true", "login_variant": "variant_a"]))
        talk.type("m")
        #expect(talk.said.contains { $0.hasPrefix("2. Login variant") })
        talk.type("1 x", "2 x")
        #expect(talk.menu.saved == [:])
        talk.type("1 x")
        #expect(talk.said == ["Multiple locations is not overridden."])
    }

    @Test func whatHappensMeanwhileIsToldAfterTheAnswerAndDisturbsNoEdit() {
        var talk = LineModeDriver()
        talk.type("5", "open")
        var table = OverrideTable(revision: 1, overrides: [:])
        table.overrides["login_variant"] = Override(value: "variant_b", setAt: MenuDriver.now, setBy: "ben")
        talk.menu.store.adopt(table)
        talk.menu.happens(.store(.read(table, error: nil)))
        talk.type("Hi")
        #expect(talk.said.first?.hasPrefix("Meanwhile: Login variant: variant_b, overridden.") == true, "\(talk.said)")
        #expect(talk.menu.saved == ["greeting_text": "Hi", "login_variant": "variant_b"])
    }

    @Test(arguments: [
        "a\u{1B}[2J\u{1B}]52;c;aGk=\u{7}b", "a\u{9B}31mb", "a\rb", "a\nb", "a\tb", "a\0b\u{7F}\u{8}", "a\u{202E}b",
    ])
    func noTextOfOthersReachesATerminalAsControl(text: String) {
        let quoted = JSONOutput.string(text).text()
        let document = """
            {\(quoted): \(quoted), "config_categories": [{"category": \(quoted), "items": [
              {"key": \(quoted), "title": \(quoted), "description": \(quoted), "value": "one|two", "owner": \(quoted),
               "expires": \(quoted), "requires": [\(quoted)]}, {"key": "free", "title": \(quoted)}]}]}
            """
        for charset in [Charset.unicode, .ascii] {
            var menu = MenuDriver(.snapshot(document), charset: charset, launch: ["free": text])
            let override = Override(value: text, setAt: MenuDriver.now, setBy: text)
            menu.happens(.store(.read(OverrideTable(revision: 1, overrides: [text: override]), error: text)))
            var talk = LineModeDriver(menu)
            talk.type("1", "i", "open", "", "", "2", text, "e", text, "", "C", "n", "/\(text)", "?\(text)", ":\(text)")
            // What was typed was shown by the terminal.
            let said = talk.transcript.replacing(text, with: "")
            let isSafe = said.unicodeScalars.allSatisfy { scalar in
                scalar == "\n"
                    || scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
                        && (charset == .unicode || scalar.isASCII)
            }
            #expect(isSafe, "\(said)")
        }
    }

    @Test func aSingleLetterIsAKeyOrNothing() {
        var lines = LineModeDriver()
        lines.type("1")
        #expect(lines.reply(to: "T") == ["There is no command \"T\". ? lists all, = sets a value."])
        #expect(lines.menu.saved == [:])
    }

    @Test func howToGetBackIsSaidAgainWithARefusal() {
        var lines = LineModeDriver()
        lines.type("/cat:location", "set listed", "maybe")
        let isRefused = lines.said.contains { $0.hasPrefix("None of") && $0.hasSuffix(" Enter alone goes back.") }
        #expect(isRefused, "\(lines.said)")
    }

    @Test func aFilterThatFindsNothingSaysWhatToType() {
        var lines = LineModeDriver()
        let said = lines.reply(to: "/zzzz")
        #expect(said.last == "No flag matches \"zzzz\". Type \"show all\" for all flags.", "\(said)")
        lines.type("show all")
        #expect(lines.menu.state.list.filter.text.isEmpty)
        #expect(lines.reply(to: "/") == ["An empty line clears the filter."])
    }

    /// The news tell what undo brought back, so its message would only repeat them; other messages may hold an arrow.
    @Test func onlyAChangeIsLeftToTheNews() throws {
        var talk = LineModeDriver()
        let changed = Override(value: "on -> off")
        talk.menu.happens(
            .store(
                .moved(
                    id: 0,
                    OverrideTable(revision: 1, overrides: ["greeting_text": changed]),
                    changes: [OverrideChange(key: "greeting_text", old: nil, new: changed)], notice: nil)))
        #expect(!talk.reply(to: "summary").contains { $0.contains("was ") })
        talk.menu.happens(.terminal(.copied(id: 0, "a: b -> c", what: "value", .sent)))
        let replies = talk.reply(to: "summary")
        #expect(replies.contains { $0.contains("a: b -> c") }, "\(replies)")
    }

    @Test func anAnswerRepeatsNoMoreThanTellsWhichLineIsMeant() {
        var talk = LineModeDriver()
        let line = String(repeating: "a\u{1B}[31mb", count: 400)
        let reply = talk.reply(to: line)
        #expect(reply.count == 1 && reply[0].count < 150, "\(reply)")
        #expect(reply[0].hasPrefix("There is no command \"a^[[31mb"), "\(reply)")
        #expect(talk.reply(to: "/zzz") == ["No flag matches \"zzz\". Type \"show all\" for all flags."])
        #expect(talk.reply(to: "show all").count > 3)
    }

    /// A word for an action is no command by itself, as it may have been meant otherwise.
    @Test func aWordForAnActionIsOfferedAndSeveralWordsDoIt() {
        var talk = LineModeDriver(MenuDriver(overrides: ["login_variant": "variant_a"]))
        #expect(
            talk.reply(to: "settings") == ["\"settings\" may mean:", "config: Show every preference and who set it."])
        #expect(talk.reply(to: "reset all").contains { $0.hasPrefix("Clear 1 override?") })
        talk.type("y")
        #expect(talk.menu.saved == [:])
    }

    @Test func aRefusedValueIsAskedForAgain() {
        var talk = LineModeDriver(
            MenuDriver(
                .snapshot(
                    #"""
                    {"n": 1, "config_categories": [{"category": "C", "items": [{"key": "n", "type": "int"}]}]}
                    """#)))
        talk.type("1", "e")
        #expect(talk.prompt == "New value: ")
        talk.type("many")
        #expect(talk.said.first?.hasSuffix("Type it again; Enter alone goes back.") == true, "\(talk.said)")
        #expect(talk.prompt == "New value, again: ")
        talk.type("7")
        #expect(talk.menu.saved == ["n": "7"])
    }
}
