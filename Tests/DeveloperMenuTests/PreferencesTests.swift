import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Reading a configuration file and reporting its errors.
@Suite struct PreferencesTests {
    private func read(_ text: String, over preferences: Preferences = .standard) throws -> PreferencesReading {
        PreferencesReading(
            try JSONDocument(parsing: Array(text.utf8)).root, path: "config.json", over: preferences)
    }

    @Test func `every member is read`() throws {
        let reading = try read(
            """
            {"$schema": "x", "theme": "light", "mouse": true, "charset": "ascii",
             "detectBackground": false, "order": "name", "restoreSession": false, "readOnly": true,
             "environment": "staging", "accessible": true, "keys": {"list.toggle": ["space", "z"], "list.fetch": []},
             "secret": ["*_token", "login_url"]}
            """)
        var expected = Preferences()
        (expected.theme, expected.mouse, expected.charset) = (.light, true, .ascii)
        (expected.detectsBackground, expected.order, expected.restoresSession) = (false, .name, false)
        (expected.isReadOnly, expected.environment, expected.isAccessible) = (true, "staging", true)
        expected.keys = ["list.toggle": [.character(" "), .character("z")], "list.fetch": []]
        expected.secrets = SecretFlags(patterns: ["*_token", "login_url"])
        #expect(reading.preferences == expected)
        #expect(reading.issues == [] && reading.clashes == [])
        #expect(Set(reading.names) == Set(Preference.all.map(\.name)), "the text sets every preference")
    }

    /// An error names the position, the member and the closest valid name; the other members apply.
    @Test(arguments: [
        (
            #"{"theme": "drak", "mouse": true}"#,
            #"config.json: line 1, column 11: "theme" cannot be "drak". Did you mean "dark"?"#
        ),
        (#"{"mouse": 1}"#, #"config.json: line 1, column 11: "mouse" must be true or false, not "1"."#),
        (
            "{\n  \"mouze\": true}",
            #"config.json: line 2, column 12: "mouze" is not a preference. Did you mean "mouse"?"#
        ),
        (
            #"{"keys": {"list.togle": "t"}}"#,
            #"config.json: line 1, column 25: "list.togle" is not an action. Did you mean "list.toggle"?"#
        ),
        (
            #"{"keys": {"list.toggle": "spcae"}}"#,
            #"config.json: line 1, column 26: "list.toggle" cannot be "spcae", which is not the name of a key. "#
                + #"Did you mean "space"?"#
        ),
        (
            #"{"keys": {"list.toggle": ["t", "ctrl-i"]}}"#,
            #"config.json: line 1, column 32: "list.toggle" cannot be "ctrl-i", which is what Tab sends; the name is "tab"."#
        ),
        (
            #"{"keys": {"list.quit": []}}"#,
            #"config.json: line 1, column 24: "list.quit" needs at least one key; the default keys stay."#
        ),
        (
            #"{"keys": {"filter.accept": "x"}}"#,
            #"config.json: line 1, column 28: "filter.accept" cannot be "x": characters are typed as text there."#
        ),
    ])
    func `invalid member is reported with position and suggestion`(text: String, sentence: String) throws {
        let reading = try read(text)
        #expect(reading.issues.map(\.description) == [sentence])
        var expected = Preferences()
        expected.mouse = text.contains("true}") && text.contains("theme")
        #expect(reading.preferences == expected)
    }

    @Test func `invalid member keeps the previous value`() throws {
        var before = Preferences()
        before.theme = .light
        #expect(try read(#"{"theme": 7}"#, over: before).preferences.theme == .light)
    }

    @Test func `file without an object is reported`() throws {
        let reading = try read("[]")
        let issue = #"config.json must contain a JSON object such as {"theme": "dark"}."#
        #expect(reading.issues.map(\.description) == [issue])
        #expect(reading.preferences == .standard)
    }

    @Test func `project file sets no personal preferences`() throws {
        let text = #"{"app": "shop", "theme": "light", "environment": "live", "readOnly": true}"#
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        let reading = PreferencesReading(root, path: "flagmenu.json", over: .standard, isProject: true)
        #expect(reading.preferences.environment == "live" && reading.preferences.isReadOnly)
        #expect(reading.preferences.theme == .automatic && reading.issues == [])
    }

    @Test func `a project adds patterns of secret flags to those of the user`() throws {
        let user = try read(#"{"secret": "*_token"}"#).preferences
        #expect(user.secrets.patterns == ["*_token"])
        #expect(try read(#"{"secret": []}"#, over: user).preferences.secrets.patterns == ["*_token"])
        #expect(
            try read(#"{"secret": ["a", "*_token"]}"#, over: user).preferences.secrets.patterns == ["*_token", "a"])
        #expect(try read(#"{"secret": ["a", 1]}"#).issues.count == 1)
    }

    /// The printed JSON of a preference can be read back.
    @Test func `printed preferences can be read back`() throws {
        var preferences = Preferences()
        (preferences.theme, preferences.environment) = (.highContrast, "a \"b\"\u{1B}")
        preferences.keys = ["list.toggle": [.character(" "), .control("r"), .pageUp]]
        preferences.secrets = SecretFlags(patterns: ["*_token"])
        let members = Preference.all.map { "\"\($0.name)\": \($0.json(preferences))" }
        let reading = try read("{\(members.joined(separator: ","))}")
        #expect(reading.preferences == preferences && reading.issues == [])
    }
}

/// Custom keys.
@Suite struct RemappingTests {
    private func remapping(_ keys: [String: [KeyPress]]) -> (keymap: Keymap, clashes: [String]) {
        Keymap.remapping(ActionTable.all, by: keys)
    }

    @Test func `action names are unique`() {
        #expect(Set(ActionTable.all.map(\.name)).count == ActionTable.all.count)
    }

    @Test(
        arguments: [
            (["list.toggle": ["z"]], [], ["z": .toggle, " ": nil]),
            // A custom key wins over a default key.
            (
                ["list.moveDown": ["u", .control("r")]],
                [
                    #"^R is set for "list.moveDown", so "list.redo" has no key."#,
                    #"u is set for "list.moveDown", so "list.undo" has no key."#,
                ], ["u": .moveDown]
            ),
            // The action that loses the key has others.
            (["list.undo": [.down]], [], ["j": .moveDown]),
            // Two actions can swap keys.
            (["list.toggle": ["u"], "list.undo": [" "]], [], ["u": .toggle, " ": .undo]),
            // The first action in the table wins a clash of custom keys.
            (
                ["list.toggle": ["%"], "list.undo": ["%"]],
                [#"% is set for "list.toggle" and "list.undo"; "list.toggle" uses it."#],
                ["%": .toggle, "u": .undo]
            ),
            (
                ["list.toggle": [.control("c"), "z"]],
                [#"^C is set for "list.interrupt" and "list.toggle"; "list.interrupt" uses it."#],
                [.control("c"): .interrupt]
            ),
            // Keys in different parts do not clash.
            (["options.accept": ["u"]], [], ["u": .undo]),
        ] as [([String: [KeyPress]], [String], [KeyPress: Action.ID?])])
    func `custom keys replace the default keys`(
        keys: [String: [KeyPress]], clashes: [String], actions: [KeyPress: Action.ID?]
    ) {
        let remapped = remapping(keys)
        #expect(remapped.clashes == clashes)
        for (key, action) in actions { #expect(remapped.keymap.action(for: key, in: .list)?.id == action) }
        #expect(remapped.keymap.all.count == ActionTable.all.count)
        for action in remapped.keymap.all {
            #expect(action.keys.allSatisfy { remapped.keymap.action(for: $0, in: action.part)?.id == action.id })
        }
    }

    /// Otherwise a user could not leave a part of the menu.
    @Test func `custom key does not take the only way out`() throws {
        let cancel = try #require(ActionTable.all.first { $0.part == OptionList.part && $0.id == .cancel })
        let (keymap, clashes) = remapping(["options.accept": [.character("z")] + cancel.keys])
        #expect(clashes == [#"esc is set for "options.cancel" and "options.accept"; "options.cancel" uses it."#])
        #expect(keymap.action(for: .escape, in: OptionList.part)?.id == .cancel)
        #expect(keymap.action(for: .character("q"), in: OptionList.part)?.id == .accept)
        let free = remapping(["options.accept": [.escape]])
        #expect(free.clashes == [] && free.keymap.action(for: .character("q"), in: OptionList.part)?.id == .cancel)
    }

    @Test func `screen and keys follow the preferences`() {
        var menu = MenuDriver()
        menu.prefer { $0.keys = ["list.toggle": [.character("z")]] }
        #expect(menu.lines.last?.contains("z toggle") == true)
        let before = menu.selectedKey.flatMap(menu.value)
        menu.press("<space>")
        #expect(menu.selectedKey.flatMap(menu.value) == before)
        menu.press("z")
        #expect(menu.selectedKey.flatMap(menu.value) != before)
        menu.happens(.settings(.preferencesRead(.standard, errors: [])))
        #expect(menu.message == "The configuration was reloaded.")
        #expect(menu.lines.last?.contains("space toggle") == true)
    }

    @Test func `messages name custom keys`() {
        var menu = MenuDriver()
        menu.prefer {
            $0.keys = ["list.fetch": [.function(5)], "list.cancel": [.control("g")], "list.help": [.function(1)]]
        }
        #expect(menu.press("a").message == "Nothing to activate. F5 fetches.")
        #expect(menu.press("/zzz<enter>").lines.contains { $0.contains("^G shows all flags.") })
        #expect(menu.press("<c-g>%").message == "% does nothing here. F1 shows every key.")
    }

    /// Ctrl-C works even if the action has another key.
    @Test(arguments: MenuPart.all)
    func `control c always interrupts`(part: MenuPart) {
        let (keymap, clashes) = remapping(["\(part.id).interrupt": [.function(9)]])
        #expect(clashes == [])
        #expect(keymap.action(for: .control("c"), in: part)?.id == .interrupt)
        #expect(keymap.action(for: .function(9), in: part)?.id == .interrupt)
    }

    /// If an action has no keys left, messages name search words that find it.
    @Test(arguments: [
        Action.ID.toggle, .open, "clear", .retry, .filter, .undo, "showOverriddenOnly", .explain, .activate, .fetch,
    ])
    func `action without a key is named by its search words`(id: Action.ID) throws {
        var menu = MenuDriver()
        menu.prefer { $0.keys = ["list.\(id.rawValue)": []] }
        let name = menu.state.keyName(of: id)
        #expect(name.hasPrefix(": ") && !name.contains(where: \.isUppercase))
        menu.press(":")
        menu.happens(.line(.textWritten(String(name.dropFirst(2)))))
        let sheet = try #require(menu.state.sheet(ActionSheet.self))
        #expect(sheet.selected(in: menu.state.keymap)?.id == id, "\(name)")
    }

    @Test func `configuration errors are shown`() {
        var menu = MenuDriver()
        menu.happens(.settings(.preferencesRead(.standard, errors: ["One.", "Two."])))
        #expect(menu.message == "One. (1 more: flagmenu status --files)")
    }
}

/// A read-only menu changes nothing that apps read.
@Suite struct ReadOnlyTests {
    private func menu() -> MenuDriver {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        menu.prefer { $0.isReadOnly = true }
        return menu
    }

    /// Keys in the list, and in a sheet that was open before.
    @Test(arguments: [
        ("", "<space>"), ("", "x"), ("", "u"), ("", "<c-r>"), ("", "X"), ("", "C"), ("i", "<enter>"), ("i", "x"),
        ("i", "u"), ("<enter>", "<down><enter>x"),
    ])
    func `change is rejected with a message`(opening: String, keys: String) {
        var menu = MenuDriver(overrides: ["login_variant": "variant_a", "enable_multiple_locations": "true"])
        menu.press(opening)
        let part = menu.state.mode.part
        menu.prefer { $0.isReadOnly = true }
        #expect(menu.effects(of: keys) == [])
        #expect(menu.message?.hasPrefix("Read-only: nothing was changed.") == true, "\(menu.message ?? "no message")")
        #expect(menu.state.mode.part == part)
    }

    /// An editor or a list that cannot save must not open.
    @Test func `enter opens the explanation`() {
        var menu = menu()
        #expect(menu.effects(of: "<enter>1x") == [])
        #expect(menu.state.mode.part == ExplanationSheet.part)
    }

    @Test func `footer shows no changing actions`() {
        let footer = menu().lines.last ?? ""
        #expect(!footer.contains("toggle") && !footer.contains("clear") && !footer.contains("undo"))
        #expect(footer.contains("filter") && footer.contains("quit"))
    }

    @Test func `title shows read only`() {
        #expect(menu().lines[0].contains("read-only"))
        #expect(menu().lines[0].contains("2 changed"))
    }

    @Test(arguments: MenuPart.all)
    func `changing actions are disabled in every part`(part: MenuPart) {
        for action in Keymap.standard.actions(in: part) where action.traits.contains(.changesValues) {
            #expect(action.disabledReason(menu().state) != nil, "\(action.name)")
        }
    }

    /// Every way to save from an editor counts as a change.
    @Test(arguments: [
        (Action.ID.accept, MenuPart.editor), (.accept, .json), (.accept, OtherValueDialog.part),
        (.editOutside, .editor), (.editOutside, .json),
    ])
    func `saving changes values`(id: Action.ID, part: MenuPart) throws {
        #expect(try #require(Keymap.standard.action(id, in: part)).traits.contains(.changesValues))
    }
}

/// The environment in the title.
@Suite struct EnvironmentBadgeTests {
    private func title(_ environment: String, columns: Int = 80, overrides: [String: String] = [:]) -> String {
        var menu = MenuDriver(columns: columns, overrides: overrides)
        menu.prefer { ($0.environment, $0.isReadOnly) = (environment, columns >= 80) }
        return menu.lines[0]
    }

    @Test func `title shows the environment`() {
        #expect(title("staging").contains(" staging ") && title("staging").contains("read-only"))
    }

    @Test(arguments: [40, 59, 60, 80, 120, 200])
    func `environment never hides the override count`(columns: Int) {
        let long = String(repeating: "production ", count: 5)
        let title = title(long, columns: columns, overrides: ["login_variant": "variant_a"])
        #expect(title.contains("1 changed"), "\(title)")
        #expect(title.contains("production"), "\(title)")
    }

    @Test(arguments: [
        ("production", true), ("Prod", true), ("eu-prod-2", true), ("live", true), ("prd", true),
        ("staging", false), ("reproduction", false), ("product-demo", false), ("delivery", false),
    ])
    func `production is recognized by name`(name: String, isSerious: Bool) {
        #expect(TitleView.isProduction(name) == isSerious)
    }
}

/// Themes and choosing them.
@Suite struct ThemeTests {
    private static let all: [Theme] = [.dark, .light, .highContrast, .mono]

    private func styles(_ theme: Theme) -> [Style] {
        Mirror(reflecting: theme).children.compactMap { $0.value as? Style }
    }

    /// Cyan, yellow, green and white text is hard to read on white, unless it has a background.
    @Test func `mono has no colour, high contrast no dim or coloured text, and light no pale text`() {
        #expect(!styles(.mono).isEmpty)
        #expect(styles(.mono).allSatisfy { $0.foreground == .standard && $0.background == .standard })
        #expect(styles(.highContrast).allSatisfy { !$0.isDim })
        #expect(styles(.highContrast).allSatisfy { $0.background != .standard || $0.foreground == .standard })
        let pale: [Color] = [.cyan, .yellow, .green, .white]
        #expect(styles(.light).allSatisfy { $0.background != .standard || !pale.contains($0.foreground) })
    }

    @Test func `overridden invalid and match styles are distinct`() {
        for theme in Self.all {
            #expect(theme.changed != theme.plain && theme.invalidMarker != theme.plain && theme.error != theme.plain)
            #expect(theme.matchInSelection != theme.selection && theme.match != theme.plain)
        }
    }

    @Test func `background decides without a preference`() {
        var menu = MenuDriver()
        #expect(menu.happens(.terminal(.backgroundDetected(.light))).state.theme == .light)
        menu.prefer { $0.theme = .dark }
        #expect(menu.state.theme == .dark)
        #expect(menu.happens(.settings(.preferencesRead(.standard, errors: []))).state.theme == .light)
        #expect(menu.happens(.terminal(.backgroundDetected(.dark))).state.theme == .dark)
    }

    @Test(arguments: [TerminalBackground.dark, .light])
    func `every theme step is visible and the session restores it`(background: TerminalBackground) {
        var menu = MenuDriver()
        menu.happens(.terminal(.backgroundDetected(background)))
        var seen = [menu.state.theme]
        for _ in Preferences.ThemeChoice.allCases {
            menu.press("T")
            #expect(menu.state.theme != seen.last, "\(menu.message ?? "")")
            if menu.state.theme == .highContrast {
                #expect(menu.message == "Theme: high contrast, saved for the next start. T again: mono.")
            }
            seen.append(menu.state.theme)
        }
        #expect(Self.all.allSatisfy(seen.contains))
        var next = MenuDriver()
        next.happens(.terminal(.backgroundDetected(background)))
        next.happens(.settings(.sessionRestored(menu.state.session)))
        #expect(next.state.theme == menu.state.theme)
    }

    @Test func `mono preference cannot be overridden`() {
        var menu = MenuDriver()
        menu.prefer { $0.theme = .mono }
        #expect(menu.happens(.settings(.sessionRestored(MenuSession(theme: .light)))).state.theme == .mono)
        menu.press("T")
        #expect(menu.state.theme == .mono && menu.state.message?.kind == .rejection)
    }
}

/// Switching the mouse on and off.
@Suite struct MouseSwitchTests {
    @Test func `key switches the mouse with a message`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "<c-t>") == [.setMouse(true)])
        #expect(menu.message == "Mouse on. Hold Shift to select text as usual.")
        #expect(menu.effects(of: "<c-t>") == [.setMouse(false)])
        #expect(menu.message == "Mouse off. The terminal selects text by itself.")
    }

    @Test func `preferences and session switch the mouse`() {
        var menu = MenuDriver()
        menu.prefer { $0.mouse = true }
        menu.happens(.settings(.sessionRestored(MenuSession(mouse: false))))
        #expect(menu.effects == [.setMouse(true), .setMouse(false)])
    }

    @Test func `terminal without a mouse shows a message`() {
        var menu = MenuDriver(pressing: "<c-t>")
        menu.happens(.terminal(.mouseRefused))
        #expect(menu.message == "This terminal does not support a mouse." && !menu.state.settings.isMouseOn)
    }
}

/// The open status sheet follows changes of the preferences.
@Suite struct PreferencesStatusTests {
    @Test func `open tab is read again`() {
        var menu = MenuDriver(pressing: ":preferences<enter>")
        let read = Event.settings(.preferencesRead(.standard, errors: []))
        #expect(menu.state.reduce(read, at: MenuDriver.now) == [.readStatus(id: 2, .store)])
        menu.press("<esc>")
        #expect(menu.state.reduce(read, at: MenuDriver.now) == [])
    }
}

/// Wrapping of status lines that are too wide.
@Suite struct StatusColumnsTests {
    @Test func `last column wraps within its column`() {
        var menu = MenuDriver(columns: 40, pressing: ":doctor<enter>")
        let text = "ok  source      a long name that goes on and on"
        menu.happens(.status(id: 1, lines: [text, "    usage  "]))
        #expect(menu.missing("ok  source      a long name that", "│                 goes on and on") == [])
    }
}
