import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// The table of actions, as the footer, help and keys use it.
@Suite struct ActionTableTests {
    @Test(arguments: MenuPart.all)
    func `no shared keys within a part`(part: MenuPart) {
        var owners: [KeyPress: Action.ID] = [:]
        for action in Keymap.standard.actions(in: part) {
            for key in action.keys {
                let owner = owners.updateValue(action.id, forKey: key)
                #expect(owner == nil, "\(key.name) belongs to \(action.id) and to \(String(describing: owner))")
            }
        }
        #expect(!owners.isEmpty)
    }

    /// Every action ID that the code uses exists in the table.
    @Test func `every referenced action exists`() {
        let ids = Set(ActionTable.all.map(\.id))
        for id: Action.ID in [
            .accept, .activate, .cancel, .changeTheme, .clearAll, .context, .copy, .edit, .editOutside,
            .explain, .export, .fetch, .filter, .help, .interrupt, .messages, .moveDown, .moveToFirst, .open,
            .palette, .quit, .redo, .retry, .toggle, .undo, .useRemote,
        ] { #expect(ids.contains(id), "\(id)") }
    }

    @Test func `every key finds its action`() {
        for action in ActionTable.all {
            // An action without a key belongs to the list, so that the palette finds it by name.
            #expect(!action.keys.isEmpty || action.part == .list && action.label == nil)
            for key in action.keys {
                #expect(Keymap.standard.action(for: key, in: action.part)?.id == action.id, "\(key.name)")
            }
        }
    }

    /// At 80 columns, help has 56 columns left for the sentence beside the keys.
    @Test func `every help sentence fits one line, and search words are lowercase`() {
        for action in ActionTable.all {
            #expect(DisplayText.width(action.help) <= 56, "\(action.help)")
            #expect(action.help.hasSuffix(".") && action.help.first?.isUppercase == true, "\(action.help)")
            #expect(action.words.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty }, "\(action.words)")
        }
    }

    @Test func `help entries fit in 80 columns`() {
        var menu = MenuDriver(pressing: "?")
        // Daily actions come first.
        let list = Keymap.standard.actions(in: .list)
        let daily = list.filter { $0.traits.contains(.isDaily) }
        #expect((18...24).contains(daily.count), "about twenty daily actions")
        let order = daily + list.filter { !$0.traits.contains(.isDaily) }
        for action in order where !action.traits.contains(.needsTeam) {
            #expect(
                menu.lines.contains { $0.contains(action.help) && $0.contains(action.keyNames()) }, "\(action.help)")
            menu.press("<down>")
        }
    }

    /// Interrupt, suspend and repaint work in every part.
    @Test(arguments: MenuPart.all)
    func `program keys work everywhere`(part: MenuPart) {
        let keys: [KeyPress] = [.control("c"), .control("z"), .control("l")]
        #expect(keys.map { Keymap.standard.action(for: $0, in: part)?.id } == [.interrupt, "suspend", "repaint"])
    }

    /// Parts with a text field bind no letters, so that letters are typed as text.
    @Test(arguments: [MenuPart.filter, .editor, .help, .palette])
    func `no letter keys in text fields`(part: MenuPart) {
        let keys = Keymap.standard.actions(in: part).flatMap(\.keys)
        #expect(keys.filter { if case .character = $0 { true } else { false } } == [])
    }

    @Test(arguments: [
        ("<f1>", MenuPart.help), ("?", .help), ("/", .filter), ("<enter>", OptionList.part),
        ("i", ExplanationSheet.part), (":", .palette), ("y", CopySheet.part), ("M", StatusSheet.part),
    ])
    func `key opens its part and escape closes`(key: String, part: MenuPart) {
        var menu = MenuDriver(pressing: key)
        #expect(menu.state.mode.part == part)
        #expect(Keymap.standard.action(for: .escape, in: part)?.id == .cancel)
        #expect(menu.press("<esc>").state.mode == .list)
    }

    /// Menus in every state that decides which keys work.
    private static let situations: [(name: String, menu: MenuDriver)] = {
        var unsaved = MenuDriver()
        unsaved.store.failure = "Not saved."
        unsaved.press("<space>")
        var waiting = MenuDriver()
        waiting.happens(.remote(.fetched(id: 0, waiting: .values(2), at: MenuDriver.now, errors: [])))
        let overridden = ["enable_multiple_locations": "true"]
        return [
            ("fresh", MenuDriver()), ("narrowed", MenuDriver(overrides: ["login_variant": "variant_a"], pressing: "m")),
            ("empty", MenuDriver(pressing: "/zzz<enter>")), ("unsaved", unsaved), ("waiting", waiting),
            ("options", MenuDriver(overrides: overridden, pressing: "<enter>")),
            ("dialog", MenuDriver(overrides: overridden, pressing: "C")),
        ]
    }()

    /// The footer shows an action only if its key works.
    @Test func `footer shows only working actions`() {
        for (name, menu) in Self.situations {
            let footer = menu.lines[menu.state.size.rows - 1]
            for action in Keymap.standard.actions(in: menu.state.mode.part) {
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

    /// The footer is packed to the left, without holes for keys that do not work now.
    @Test func `footer has no holes`() {
        var menu = MenuDriver()
        for _ in menu.listedKeys {
            #expect(!menu.lines[23].trimmed.contains("   "), "\(menu.lines[23])")
            menu.press("j")
        }
    }

    @Test func `footer at 80 columns shows the main keys`() {
        #expect(MenuDriver().lines[23].contains(": actions"))
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        for word in ["space toggle", "enter open", "x reset", "u undo", "/ filter", ": actions", "? help", "q quit"] {
            #expect(menu.lines[23].contains(word), "\(menu.lines[23])")
        }
        #expect(menu.press("x").lines[23].contains("u undo"), "a cleared override can be restored")
        #expect(!menu.lines[23].contains("x reset"))
    }

    /// Fetching is not a change, so it cannot be undone.
    @Test func `footer shows undo only after a change`() {
        var menu = MenuDriver()
        for keys in ["f", "a", "<c-r>", "u"] {
            menu.press(keys)
            #expect(!menu.lines[23].contains("u undo"), "after \(keys): \(menu.lines[23])")
        }
        #expect(menu.press("<space>").lines[23].contains("u undo"))
        #expect(!menu.press("u").lines[23].contains("u undo"), "everything is undone")
        menu.press("u")
        #expect(menu.message == "Nothing to undo." && !menu.lines[23].contains("u undo"))
        #expect(menu.press("<c-r>").lines[23].contains("u undo"), "a redone change can be undone again")
    }

    /// If no history is left for the overrides, the menu finds out only from a rejected undo.
    @Test func `empty undo hides the undo key until the next change`() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        menu.happens(.store(.moveRefused(id: 0, reason: "Nothing to undo.", isAtEnd: true)))
        #expect(!menu.lines[23].contains("u undo"))
        let elsewhere: FlagTable<FlagOverride> = [
            "greeting_text": FlagOverride(value: "Hi", setAt: MenuDriver.now, setBy: "bob")
        ]
        menu.happens(.store(.read(OverrideTable(revision: 9, overrides: elsewhere), error: nil)))
        #expect(menu.lines[23].contains("u undo"), "an override has changed")
        menu.happens(.store(.moveRefused(id: 0, reason: "The disk is full.", isAtEnd: false)))
        #expect(menu.lines[23].contains("u undo"), "the next undo may succeed")
    }

    /// The label says what the key does next.
    @Test func `overridden only key is labelled all while active`() {
        var menu = MenuDriver(columns: 160, overrides: ["enable_multiple_locations": "true"])
        #expect(menu.lines[23].contains("m changed"))
        menu.press("m")
        #expect(menu.lines[23].contains("m all") && !menu.lines[23].contains("m changed"))
        #expect(!MenuDriver(columns: 160).lines[23].contains("m changed"), "nothing is overridden")
    }

    @Test(arguments: [40, 50, 60, 80, 100, 160])
    func `every footer shows help and quit`(columns: Int) {
        let footer = MenuDriver(columns: columns).lines[23]
        #expect(footer.contains("? help") && footer.contains("q quit"))
        #expect(DisplayText.width(footer) <= columns)
    }
}
