import Foundation
import TestSupport
import Testing

/// The configuration file and the session, in a real terminal.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct PreferencesInTheMenuTests {
    private let workplace = Workplace()

    private var file: String { "\(workplace.home)/.config/flagmenu/config.json" }
    private var session: String { "\(workplace.home)/.local/state/flagmenu/sample/session.json" }

    @Test func `a change of the configuration is in force at once, and a broken file takes nothing away`() throws {
        let window = try TerminalWindow(workplace)
        try window.wait(for: "Multiple locations", "space toggle")
        // Neither the file nor its folder is there yet.
        workplace.write(#"{"keys": {"list.toggle": "t"}, "environment": "production"}"#, to: file)
        try window.wait(for: "t toggle", "The configuration was reloaded.", " production ")
        workplace.write(#"{"keys": {"list.toggle": "#, to: file)
        try window.wait(for: "Ignored, earlier preferences stay: config.json:1:26:", "t toggle")
        workplace.write(#"{"readOnly": true, "mouze": true}"#, to: file)
        try window.wait(for: "read-only", #"Did you mean "mouse"?"#)
        window.press("Space")
        try window.wait(for: "Read-only: nothing was changed.")
        #expect(workplace.flagmenu("prompt").text == "")
    }

    @Test func `title, keys and store agree on read-only, whatever becomes of the file`() throws {
        workplace.write(#"{"readOnly": true}"#, to: file)
        let window = try TerminalWindow(workplace)
        try window.wait(for: "Multiple locations", "read-only")
        window.press("Space")
        try window.wait(for: "Read-only: nothing was changed.")
        for slip in [#"{"readOnly": fal"#, #"{"readOnly": "false"}"#] {
            workplace.write(slip, to: file)
            try window.wait(for: slip.hasSuffix("}") ? "must be true or false" : "Ignored", "read-only")
        }
        try FileManager.default.removeItem(atPath: file)
        try window.wait("changes are allowed") { !$0.contains("read-only") && $0.contains("reloaded") }
        window.press("Space")
        #expect(Clock.wait { workplace.flagmenu("prompt").text == "1 override\n" })
        workplace.write(#"{"readOnly": true}"#, to: file)
        try window.wait(for: "read-only")
        window.press("u")
        try window.wait(for: "Read-only: nothing was changed.")
        #expect(workplace.flagmenu("prompt").text == "1 override\n")
    }

    @Test func `the menu comes back as it was left, says so, and begins anew when asked to`() throws {
        let window = try TerminalWindow(workplace, "flagmenu; flagmenu; flagmenu menu --fresh; exec cat")
        try window.wait(for: "Maintenance mode")
        window.press("T", "/", "l", "o", "g", "Enter")
        try window.wait(for: "Login variant")
        try window.wait("only what matches") { !$0.contains("Maintenance mode") }
        window.press("q")
        try window.wait(for: "/ log", "Login variant", " of 8", "This is the built-in sample.")
        #expect(workplace.read(session)?.contains(#""filter": "log""#) == true)
        window.press("q")
        try window.wait(for: "Maintenance mode", "This is the built-in sample.")
        window.press("q")
    }

    @Test func `an arrangement is stored while the menu is open, too`() throws {
        let window = try TerminalWindow(workplace)
        try window.wait(for: "Maintenance mode")
        window.press("/", "m", "a", "i", "n", "Enter")
        #expect(Clock.wait { workplace.read(session)?.contains(#""filter": "main""#) == true })
    }

    @Test(arguments: [#"{"format": 2, "filter": "log"}"#, #"{"format": 1, "filter": "lo"#, "[]"])
    func `a session that cannot be used is told, and left alone`(text: String) throws {
        workplace.write(text, to: session)
        let window = try TerminalWindow(workplace, "flagmenu; echo ended $?; exec cat")
        try window.wait(for: "Maintenance mode", "session.json")
        window.press("m", "q")
        try window.wait(for: "ended 0")
        #expect(workplace.read(session) == text)
    }

    @Test func `read-only leaves no session behind`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --read-only; echo ended $?; exec cat")
        try window.wait(for: "Maintenance mode", "read-only")
        window.press("o", "q")
        try window.wait(for: "ended 0")
        #expect(workplace.read(session) == nil)
    }

    @Test func `tmux shows the words of a prompt in its status line`() throws {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        // A tmux inside the window; its session ends with the window that shows it.
        workplace.write(
            """
            set -g status-right '#(flagmenu prompt)'
            set -g status-interval 1
            set -g destroy-unattached on
            """, to: "tmux.conf")
        let window = try TerminalWindow(workplace, "unset TMUX; tmux -L inside -f tmux.conf new-session 'exec cat'")
        try window.wait(for: "1 override")
    }
}
