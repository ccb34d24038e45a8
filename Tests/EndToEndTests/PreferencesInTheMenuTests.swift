import Foundation
import TestSupport
import Testing

/// The configuration file and the session, in a real terminal.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct PreferencesInTheMenuTests {
    private let workplace = Workplace()

    private var file: String { "\(workplace.home)/.config/flagmenu/config.json" }
    private var session: String { "\(workplace.home)/.local/state/flagmenu/sample/session.json" }

    @Test func `a configuration change applies immediately, and a broken file changes nothing`() throws {
        let window = try TerminalWindow(workplace, showing: ["Multiple locations", "space toggle"])
        // Neither the file nor its folder exists yet.
        workplace.write(#"{"keys": {"list.toggle": "z"}, "environment": "production"}"#, to: file)
        try window.wait(for: "z toggle", "The configuration was reloaded.", " production ")
        workplace.write(#"{"keys": {"list.toggle": "#, to: file)
        try window.wait(for: "previous preferences stay in use: config.json:1:26:", "z toggle")
        workplace.write(#"{"readOnly": true, "mouze": true}"#, to: file)
        try window.wait(for: "read-only", #"Did you mean "mouse"?"#)
        try window.press("Space", showing: "Read-only: nothing was changed.")
        #expect(workplace.flagmenu("prompt").text == "")
    }

    @Test func `title, keys and store agree on read-only while the configuration file changes`() throws {
        workplace.write(#"{"readOnly": true}"#, to: file)
        let window = try TerminalWindow(workplace, showing: ["Multiple locations", "read-only"])
        try window.press("Space", showing: "Read-only: nothing was changed.")
        for slip in [#"{"readOnly": fal"#, #"{"readOnly": "false"}"#] {
            workplace.write(slip, to: file)
            try window.wait(for: slip.hasSuffix("}") ? "must be true or false" : "Not reloaded", "read-only")
        }
        try FileManager.default.removeItem(atPath: file)
        try window.wait("changes are allowed") { !$0.contains("read-only") && $0.contains("reloaded") }
        window.press("Space")
        #expect(Clock.wait { workplace.flagmenu("prompt").text == "1 override\n" })
        workplace.write(#"{"readOnly": true}"#, to: file)
        try window.wait(for: "read-only")
        try window.press("u", showing: "Read-only: nothing was changed.")
        #expect(workplace.flagmenu("prompt").text == "1 override\n")
    }

    @Test func `the menu restores the last session, and --fresh ignores it`() throws {
        let window = try TerminalWindow(workplace, "flagmenu; flagmenu; flagmenu menu --fresh; exec cat")
        try window.wait(for: "Maintenance mode")
        try window.press("T", "/", "l", "o", "g", "Enter", showing: "Login variant")
        try window.wait("only what matches") { !$0.contains("Maintenance mode") }
        window.press("q")
        // The selection is restored, a filter is not.
        try window.wait(for: ">    Login", "Maintenance mode", "This is the built-in sample.")
        #expect(workplace.read(session)?.contains("filter") == false)
        try window.press("q", showing: "Maintenance mode", "This is the built-in sample.")
    }

    @Test func `the session is saved while the menu is open`() throws {
        let window = try TerminalWindow(workplace, showing: ["Maintenance mode"])
        window.press("/", "m", "a", "i", "n", "Enter")
        #expect(Clock.wait { workplace.read(session)?.contains(#""selected": "maintenance_mode""#) == true })
    }

    @Test(arguments: [#"{"format": 2, "filter": "log"}"#, #"{"format": 1, "filter": "lo"#, "[]"])
    func `an unusable session file is reported and left unchanged`(text: String) throws {
        workplace.write(text, to: session)
        let window = try TerminalWindow(workplace, "flagmenu; echo ended $?; exec cat")
        try window.wait(for: "Maintenance mode", "session.json")
        try window.press("m", "q", showing: "ended 0")
        #expect(workplace.read(session) == text)
    }

    @Test func `read-only saves no session`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --read-only; echo ended $?; exec cat")
        try window.wait(for: "Maintenance mode", "read-only")
        try window.press("o", "q", showing: "ended 0")
        #expect(workplace.read(session) == nil)
    }

    @Test func `tmux shows the output of the prompt command in its status line`() throws {
        #expect(workplace.flagmenu("set login_variant B").status == 0)
        // A tmux inside the window. Its session ends with the window.
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
