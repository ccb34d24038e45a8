import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The one table of keys: what it promises to the footer, to help and to whoever presses a key.
@Suite struct BindingsTests {
    @Test(arguments: Binding.Context.allCases)
    func noTwoBindingsOfAContextShareAKey(context: Binding.Context) {
        var owners: [KeyPress: Intent] = [:]
        for binding in Bindings.bindings(in: context) {
            for key in binding.keys {
                let other = owners.updateValue(binding.intent, forKey: key)
                #expect(other == nil, "\(key.name) asks for \(binding.intent) and for \(String(describing: other))")
            }
        }
        #expect(!owners.isEmpty)
    }

    @Test func everyIntentHasAKey() {
        let bound = Set(Bindings.all.map(\.intent))
        #expect(Set(Intent.allCases).subtracting(bound) == [])
    }

    @Test func everyBindingIsFoundByEachOfItsKeys() {
        for binding in Bindings.all {
            // What has no key is found by its name, in the palette.
            #expect(!binding.keys.isEmpty || binding.context == .list)
            #expect(!binding.keys.isEmpty || binding.label == nil)
            for key in binding.keys {
                #expect(Keymap.standard.binding(for: key, in: binding.context)?.intent == binding.intent, "\(key.name)")
            }
        }
    }

    /// At 80 columns help leaves 56 for the sentence beside the keys.
    @Test func everyHelpSentenceFitsOneLine() {
        for binding in Bindings.all {
            #expect(DisplayText.width(binding.help) <= 56, "\(binding.help)")
            #expect(binding.help.hasSuffix("."), "\(binding.help)")
            #expect(binding.help.first?.isUppercase == true, "\(binding.help)")
        }
    }

    @Test func everyHelpEntryIsShownWholeAt80Columns() {
        var menu = MenuDriver()
        menu.press("?")
        for binding in Bindings.all {
            let selected = menu.lines.first { $0.contains(binding.help) && $0.contains(binding.keyNames()) }
            #expect(selected != nil, "\(binding.keyNames()): \(binding.help)")
            menu.press("<down>")
        }
    }

    /// Interrupting, suspending and repainting work whatever is open.
    @Test(arguments: Binding.Context.allCases)
    func programKeysWorkEverywhere(context: Binding.Context) {
        #expect(Keymap.standard.binding(for: .control("c"), in: context)?.intent == .interrupt)
        #expect(Keymap.standard.binding(for: .control("z"), in: context)?.intent == .suspend)
        #expect(Keymap.standard.binding(for: .control("l"), in: context)?.intent == .repaint)
    }

    /// Letters must type where text is typed.
    @Test(arguments: [Binding.Context.filter, .editor, .help, .palette])
    func noLetterIsBoundWhereTextIsTyped(context: Binding.Context) {
        for binding in Bindings.bindings(in: context) {
            for case .character(let character) in binding.keys {
                Issue.record("\(character) cannot be typed in \(context)")
            }
        }
    }

    @Test(arguments: [
        ("<f1>", Binding.Context.help), ("?", .help), ("/", .filter), ("<enter>", .options), ("i", .explanation),
        (":", .palette), ("y", .copy), ("M", .report),
    ])
    func aKeyOpensWhatItPromises(key: String, context: Binding.Context) {
        var menu = MenuDriver()
        menu.press(key)
        #expect(menu.state.mode.context == context)
        #expect(Keymap.standard.binding(for: .escape, in: context)?.intent == .cancel)
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
        waiting.happens(.remote(.fetched(id: 0, waitingCount: 2, at: MenuDriver.now, errors: [])))
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
            for binding in Bindings.bindings(in: menu.state.mode.context) {
                guard let label = binding.label else { continue }
                let isShown = footer.contains("\(binding.keys[0].displayName(charset: .unicode)) \(label)")
                let obstacle = binding.obstacle(menu.state)
                if isShown { #expect(obstacle == nil, "\(name): \(label)") }
                guard let obstacle else { continue }
                var state = menu.state
                #expect(state.reduce(.key(binding.keys[0]), at: MenuDriver.now) == [], "\(name): \(label)")
                #expect(state.message?.text == obstacle)
                #expect(obstacle.hasSuffix("."), "\(obstacle)")
            }
        }
    }

    /// Words to look for are typed in small letters.
    @Test func otherWordsAreInSmallLetters() {
        for binding in Bindings.all {
            for word in binding.words { #expect(word == word.lowercased() && !word.isEmpty, "\(word)") }
        }
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
