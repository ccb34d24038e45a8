import Foundation
import TestSupport
import Testing

/// The terminal is restored after every way the menu can end.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct RestoredTerminalTests {
    private let workplace = Workplace()

    /// Runs the menu, and saves the terminal modes before and after it and its process id in `pid`.
    private let script = """
        stty -g > before
        \(Workplace.scriptSavingProcessID(of: "flagmenu"))
        stty -g > after
        exec cat
        """

    private func process() throws -> pid_t { try #require(workplace.process()) }

    private func expectRestored(_ window: TerminalWindow) {
        #expect(Clock.wait { workplace.read("after")?.isEmpty == false })
        #expect(workplace.read("after") == workplace.read("before"))
        #expect(window.value("alternate_on") == "0")
        #expect(window.value("cursor_flag") == "1")
        #expect(window.value("mouse_any_flag") == "0")
        #expect(window.value("keypad_flag") == "0")
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT], ["", "/mu"])
    func `a signal restores the terminal`(signal: Int32, typed: String) throws {
        let window = try TerminalWindow(workplace, script, showing: ["Multiple locations"])
        if !typed.isEmpty {
            try window.press(typed, showing: "/ mu")
        }
        kill(try process(), signal)
        try window.wait(for: "ended \(128 + signal)")
        expectRestored(window)
    }

    @Test func `Ctrl-Z and SIGTSTP restore the terminal, and fg continues the menu`() throws {
        let window = try TerminalWindow(
            workplace,
            """
            set -m
            stty -g > before
            sh -c 'echo $$ > pid; exec flagmenu'
            echo stopped; stty -g > after; read line; rm after; fg
            echo stopped again; stty -g > after; read line; rm after; fg
            echo "ended $?"; stty -g > after
            exec cat
            """)
        try window.wait(for: "○  Multiple locations  false")
        try window.press("C-z", showing: "stopped")
        expectRestored(window)
        #expect(workplace.flagmenu("set enable_multiple_locations true").status == 0)
        window.press("Enter")
        try window.wait(for: "▌●  Multiple locations  true", "space toggle")
        #expect(window.value("alternate_on") == "1")
        kill(try process(), SIGTSTP)
        try window.wait(for: "stopped again")
        expectRestored(window)
        window.press("Enter")
        try window.wait(for: "▌●  Multiple locations  true", "space toggle")
        try window.press("q", showing: "ended 0")
        expectRestored(window)
    }

    @Test func `closing the window ends the process immediately`() throws {
        var times: [Double] = []
        for _ in 0..<5 {
            let window = try TerminalWindow(workplace, script)
            // Keeps the tmux server running, so that only the window ends.
            let otherWindow = try TerminalWindow(workplace, "exec cat")
            try window.wait(for: "Multiple locations")
            let process = try process()
            let start = Clock.seconds()
            window.close()
            #expect(Clock.wait { workplace.isGone(process) })
            times.append(Clock.seconds() - start)
            withExtendedLifetime(otherWindow) {}
        }
        let slowest = times.max() ?? 0
        #expect(slowest <= Clock.limit(0.2), "\(times)")
    }
}
