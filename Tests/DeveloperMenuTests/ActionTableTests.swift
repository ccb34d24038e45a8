import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The table of actions: what it promises to the footer, to help and to the user who presses a key.
@Suite struct ActionTableTests {
    @Test(arguments: MenuPart.all)
    func noTwoActionsOfAPartShareAKey(part: MenuPart) {
        var owners: [KeyPress: Action.ID] = [:]
        for action in ActionTable.actions(in: part) {
            for key in action.keys {
                let other = owners.updateValue(action.id, forKey: key)
                #expect(other == nil, "\(key.name) asks for \(action.id) and for \(String(describing: other))")
            }
        }
        #expect(!owners.isEmpty)
    }

    /// A name that is used elsewhere in the program names an action.
    @Test func everyReferredActionExists() {
        let ids = Set(ActionTable.all.map(\.id))
        for part in MenuPart.all { #expect(part.opener.map { Keymap.standard.action($0, in: .list) != nil } ?? true) }
        for id: Action.ID in [
            .accept, .activate, .addMember, .cancel, .changeTheme, .clearAll, .context, .copy, .edit, .editOutside,
            .explain, .export, .fetch, .filter, .help, .interrupt, .log, .moveDown, .moveToFirst, .moveUp, .open,
            .palette, .quit, .redo, .retry, .toggle, .undo, .useRemote,
        ] { #expect(ids.contains(id), "\(id)") }
    }

    @Test func everyActionIsFoundByEachOfItsKeys() {
        for action in ActionTable.all {
            // What has no key is found by its name, in the palette.
            #expect(!action.keys.isEmpty || action.part == .list)
            #expect(!action.keys.isEmpty || action.label == nil)
            for key in action.keys {
                #expect(Keymap.standard.action(for: key, in: action.part)?.id == action.id, "\(key.name)")
            }
        }
    }

    /// At 80 columns help leaves 56 for the sentence beside the keys.
    @Test func everyHelpSentenceFitsOneLine() {
        for action in ActionTable.all {
            #expect(DisplayText.width(action.help) <= 56, "\(action.help)")
            #expect(action.help.hasSuffix("."), "\(action.help)")
            #expect(action.help.first?.isUppercase == true, "\(action.help)")
        }
    }

    @Test func everyHelpEntryIsShownWholeAt80Columns() {
        var menu = MenuDriver()
        menu.press("?")
        // What is done every day is on top.
        let list = ActionTable.actions(in: .list)
        let daily = list.filter { $0.traits.contains(.isDaily) }
        #expect((18...24).contains(daily.count), "some twenty")
        let order = daily + list.filter { !$0.traits.contains(.isDaily) } + ActionTable.all.filter { $0.part != .list }
        for action in order {
            let selected = menu.lines.first { $0.contains(action.help) && $0.contains(action.keyNames()) }
            #expect(selected != nil, "\(action.keyNames()): \(action.help)")
            menu.press("<down>")
        }
    }

    /// Interrupting, suspending and repainting work whatever is open.
    @Test(arguments: MenuPart.all)
    func programKeysWorkEverywhere(part: MenuPart) {
        #expect(Keymap.standard.action(for: .control("c"), in: part)?.id == .interrupt)
        #expect(Keymap.standard.action(for: .control("z"), in: part)?.id == "suspend")
        #expect(Keymap.standard.action(for: .control("l"), in: part)?.id == "repaint")
    }

    /// Letters must type where text is typed.
    @Test(arguments: [MenuPart.filter, .editor, .help, .palette])
    func noLetterIsAKeyWhereTextIsTyped(part: MenuPart) {
        for action in ActionTable.actions(in: part) {
            for case .character(let character) in action.keys {
                Issue.record("\(character) cannot be typed in \(part)")
            }
        }
    }

    @Test(arguments: [
        ("<f1>", MenuPart.help), ("?", .help), ("/", .filter), ("<enter>", .options), ("i", .explanation),
        (":", .palette), ("y", .copy), ("M", .report),
    ])
    func aKeyOpensWhatItPromises(key: String, part: MenuPart) {
        var menu = MenuDriver()
        menu.press(key)
        #expect(menu.state.mode.part == part)
        #expect(Keymap.standard.action(for: .escape, in: part)?.id == .cancel)
        menu.press("<esc>")
        #expect(menu.state.mode == .list)
    }

    /// Menus in every situation that decides which keys work.
    private static let situations: [(name: String, menu: MenuDriver)] = {
        var narrowed = MenuDriver(overrides: ["login_variant": "variant_a"])
        narrowed.press("m")
        var empty = MenuDriver()
        empty.press("/zzz<enter>")
        var unsaved = MenuDriver()
        unsaved.store.failure = "Not saved."
        unsaved.press("<space>")
        var waiting = MenuDriver()
        waiting.happens(.remote(.fetched(id: 0, waiting: .values(2), at: MenuDriver.now, errors: [])))
        var open = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        open.press("<enter>")
        var asking = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        asking.press("C")
        return [
            ("fresh", MenuDriver()), ("narrowed", narrowed), ("empty", empty), ("unsaved", unsaved),
            ("waiting", waiting), ("options", open), ("question", asking),
        ]
    }()

    /// A key in the footer does something, and whatever does nothing is not in the footer.
    @Test func theFooterShowsOnlyWhatWorks() {
        for (name, menu) in Self.situations {
            let footer = menu.lines[menu.state.size.rows - 1]
            for action in ActionTable.actions(in: menu.state.mode.part) {
                guard let label = action.label else { continue }
                let isShown = footer.contains("\(action.keys[0].displayName(charset: .unicode)) \(label)")
                let disabledReason = action.disabledReason(menu.state)
                if isShown { #expect(disabledReason == nil, "\(name): \(label)") }
                guard let disabledReason else { continue }
                var state = menu.state
                #expect(state.reduce(.key(action.keys[0]), at: MenuDriver.now) == [], "\(name): \(label)")
                #expect(state.message?.text == disabledReason)
                #expect(disabledReason.hasSuffix("."), "\(disabledReason)")
            }
        }
    }

    /// Words to look for are typed in small letters.
    @Test func otherWordsAreInSmallLetters() {
        for action in ActionTable.all {
            for word in action.words { #expect(word == word.lowercased() && !word.isEmpty, "\(word)") }
        }
    }

    /// What is behind a hint that some flags do not have stays where it is.
    @Test func hintsKeepTheirPlacesWhileTheSelectionMoves() {
        var menu = MenuDriver()
        var footers: Set<String> = []
        for _ in menu.listedKeys {
            footers.insert(menu.lines[23].replacing("space toggle", with: "            "))
            menu.press("j")
        }
        #expect(footers.count == 1, "\(footers)")
    }

    @Test func at80ColumnsTheFooterLeadsToEverythingElse() {
        #expect(MenuDriver().lines[23].contains(": actions"))
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        for word in ["space toggle", "enter open", "x clear", "u undo", "/ filter", ": actions", "? help", "q quit"] {
            #expect(menu.lines[23].contains(word), "\(menu.lines[23])")
        }
        menu.press("x")
        #expect(menu.lines[23].contains("u undo"), "what was cleared can be brought back")
        #expect(!menu.lines[23].contains("x clear"))
    }

    /// Fetching is no change, and what nobody has changed nobody can undo.
    @Test func theFooterOffersToUndoOnlyWhatWasChanged() {
        var menu = MenuDriver()
        for keys in ["f", "a", "<c-r>", "u"] {
            menu.press(keys)
            #expect(!menu.lines[23].contains("u undo"), "after \(keys): \(menu.lines[23])")
        }
        menu.press("<space>")
        #expect(menu.lines[23].contains("u undo"))
        menu.press("uu")
        #expect(menu.message == "Nothing to undo." && !menu.lines[23].contains("u undo"))
        menu.press("<c-r>")
        #expect(menu.lines[23].contains("u undo"), "what was redone can be undone again")
    }

    /// Overrides of which no history is left cannot be undone, which is found out by trying.
    @Test func anUndoThatFindsNothingTakesItsKeyOutOfTheFooterUntilTheNextChange() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        menu.happens(.store(.moveRefused(id: 0, reason: "Nothing to undo.", isAtEnd: true)))
        #expect(!menu.lines[23].contains("u undo"))
        let elsewhere = ["greeting_text": Override(value: "Hi", setAt: MenuDriver.now, setBy: "bob")]
        menu.happens(.store(.read(OverrideTable(revision: 9, overrides: elsewhere), error: nil)))
        #expect(menu.lines[23].contains("u undo"), "somebody has changed something")
        menu.happens(.store(.moveRefused(id: 0, reason: "The disk is full.", isAtEnd: false)))
        #expect(menu.lines[23].contains("u undo"), "it may work the next time")
    }

    /// A switch says what it does, not what it did.
    @Test func whileOnlyOverriddenFlagsAreShownItsKeyShowsAll() {
        var menu = MenuDriver(columns: 160, overrides: ["enable_multiple_locations": "true"])
        #expect(menu.lines[23].contains("m overridden"))
        menu.press("m")
        #expect(menu.lines[23].contains("m all") && !menu.lines[23].contains("m overridden"))
        #expect(!MenuDriver(columns: 160).lines[23].contains("m overridden"), "nothing is overridden")
    }

    @Test(arguments: [40, 50, 60, 80, 100, 160])
    func helpAndTheWayOutAreInEveryFooter(columns: Int) {
        let menu = MenuDriver(columns: columns)
        let footer = menu.lines[23]
        #expect(footer.contains("? help"))
        #expect(footer.contains("q quit"))
        #expect(DisplayText.width(footer) <= columns)
    }
}
