import FlagModel
import TerminalUI
import Testing

@testable import DeveloperMenu

/// Messages after a change: the app must restart, a required flag is off, or the flag has expired.
@Suite struct ChangeNotesTests {
    private static let document = #"""
        {"theme": "old", "master": "false", "part": "a", "sale": "true", "config_categories": [{"category": "C", "items": [
          {"key": "theme", "value": "old|new", "restart": true}, {"key": "master", "value": "false|true"},
          {"key": "part", "value": "a|b", "requires": ["master"]},
          {"key": "sale", "value": "true|false", "expires": "2026-01-31"},
          {"key": "later", "value": "true|false", "expires": "2099-01-31"}]}]}
        """#

    private func menu(_ overrides: [String: String] = [:]) -> MenuDriver {
        MenuDriver(.snapshot(Self.document), overrides: overrides)
    }

    @Test(arguments: [
        ("theme", "The app reads theme at its next start."), ("part", "It has no effect while master is off."),
        ("sale", "The flag expired on 2026-01-31."),
    ])
    func `a change shows what it needs to take effect`(key: String, sentence: String) {
        var menu = menu()
        menu.happens(.line(.flagChosen(FlagText(key))))
        #expect(menu.press("<space>").message == sentence)
    }

    @Test func `a change that needs nothing shows no message`() {
        var menu = menu(["master": "true"])
        for key in ["part", "later"] {
            menu.happens(.line(.flagChosen(FlagText(key))))
            #expect(menu.press("<space>").message == nil, "\(key)")
        }
    }

    @Test func `an expired flag has a marker and a label, and a filter finds it`() {
        var menu = menu()
        #expect(menu.lines.contains { $0.contains("!  sale") && $0.contains("expired") })
        #expect(menu.press("/is:expired<enter>").listedKeys == ["sale"])
        menu.press("<space>")
        #expect(menu.lines.contains { $0.contains("▌") && $0.contains("sale") }, "a changed row has a bar")
    }

    @Test func `a flag expires when its day has passed, also in an open menu`() {
        var menu = menu()
        #expect(!menu.lines.contains { $0.contains("!  later") })
        menu.now = FlagTimestamp(rfc3339: "2099-01-31T23:59:59Z") ?? menu.now
        #expect(!menu.press("j").lines.contains { $0.contains("!  later") })
        menu.now = FlagTimestamp(rfc3339: "2099-02-01T00:00:00Z") ?? menu.now
        #expect(menu.press("j").lines.contains { $0.contains("!  later") && $0.contains("expired") })
    }

    @Test func `a bulk change counts the flags that need a restart`() {
        var menu = menu()
        #expect(menu.press("vv<space>").saved == ["theme": "new", "master": "true"])
        let note = "1 of the 2 flags is read at the next start of the app."
        #expect(menu.message == "Toggled 2 flags. u undoes it. \(note)")
    }
}
