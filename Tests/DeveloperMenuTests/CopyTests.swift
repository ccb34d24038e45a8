import FlagModel
import FlagQueries
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Copying the key, the value or the command, each with a message.
@Suite struct CopyTests {
    @Test func `each entry has a key`() {
        var menu = MenuDriver(overrides: ["enable_multiple_locations": "true"])
        #expect(menu.effects(of: "yk") == [.copy(id: 1, "enable_multiple_locations", what: "key")])
        #expect(menu.effects(of: "yv") == [.copy(id: 2, "true", what: "value")])
        #expect(
            menu.effects(of: "yc") == [.copy(id: 3, "flagmenu set enable_multiple_locations true", what: "command")])
        #expect(menu.effects(of: "y<down><enter>") == [.copy(id: 4, "true", what: "value")])
        #expect(menu.message == "Copied the value through the terminal (OSC 52): \"true\"")
        #expect(menu.state.mode == .list)
    }

    @Test func `last command matches the last change`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "yl") == [])
        #expect(menu.message == "No changes here yet.")
        menu.press("<esc><space>")
        let commands = [
            "flagmenu set enable_multiple_locations true", "flagmenu reset enable_multiple_locations", "flagmenu undo",
        ]
        for (id, (key, command)) in zip([2, 4, 6], zip(["", "x", "u"], commands)) {
            menu.press(key)
            #expect(menu.effects(of: "yl") == [.copy(id: id, command, what: "last command")])
        }
    }

    @Test func `command for a flag without an override is reset`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "yc") == [.copy(id: 1, "flagmenu reset enable_multiple_locations", what: "command")])
    }

    @Test func `copy message depends on the terminal`() {
        var menu = MenuDriver()
        menu.happens(.terminal(.copied(id: 0, "x", what: "key", .unsupported)))
        #expect(menu.message == "Not copied: this terminal cannot copy (OSC 52). The key: \"x\"")
        menu.happens(.terminal(.copied(id: 0, "x", what: "key", .tooLong(limit: 5))))
        #expect(menu.message == "Not copied: the key has more than the terminal limit of 5 bytes.")
        menu.happens(.terminal(.copied(id: 0, "x", what: "key", .sentToTmux)))
        #expect(menu.message == "Copied the key through tmux (OSC 52; needs set-clipboard on): \"x\"")
    }

    @Test func `log lists all messages`() {
        var menu = MenuDriver(pressing: "Za")
        menu.happens(.store(.read(OverrideTable(), error: "overrides.json is damaged.")))
        menu.press("M")
        let messages = menu.state.messages.entries.map(\.message.text)
        let nothing = ["Z does nothing here. ? shows every key.", "Nothing to activate. f fetches."]
        #expect(messages == nothing + ["overrides.json is damaged."])
        for text in messages { #expect(menu.missing(text) == []) }
        guard case .copy(_, let text, "text")? = menu.effects(of: "y").first else {
            return #expect(Bool(false), "nothing was copied")
        }
        #expect(messages.allSatisfy(text.contains))
        #expect(menu.press("q").state.mode == .list)
    }
}

/// The text copied for a bug report.
@Suite struct BugReportTests {
    @Test func `lists app source age and overrides with author and time`() {
        var menu = MenuDriver()
        let override = FlagOverride(value: "a|b\n`c`", setAt: MenuDriver.now, setBy: "ana_b")
        menu.happens(.store(.read(OverrideTable(revision: 1, overrides: ["greeting_text": override]), error: nil)))
        let effects = menu.effects(of: "yb")
        guard case .share(_, let changes, let text?)? = effects.first else {
            Issue.record("nothing was copied: \(effects)")
            return
        }
        #expect(changes.entries.values == ["greeting_text": "a|b\n`c`"])
        let time = MenuDriver.now.rfc3339
        #expect(text.hasPrefix("**shop**, source shop.json, read 20"))
        #expect(text.contains("(2 min ago)"))
        #expect(
            text.contains("| `greeting_text` | `` a\\|b `c` `` | `Hello` (remote) | ana\\_b | \(time) |"), "\(text)")
    }

    @Test func `says that no flag is overridden`() {
        var menu = MenuDriver()
        #expect(menu.effects(of: "yb") == [.copy(id: 1, BugReport(state: menu.state).text, what: "bug report")])
        #expect(BugReport(state: menu.state).text.hasSuffix("No flag is overridden.\n"))
    }
}
