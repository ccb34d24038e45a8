import TestSupport
import Testing

/// The first use after installation.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct FirstJourneyTests {
    private let workplace = Workplace()

    @Test func `a toggle in the built-in sample stays for later starts and commands until it is reset`() throws {
        let window = try TerminalWindow(workplace, "flagmenu; flagmenu; exec cat")
        try window.wait(
            for: "This is the built-in sample.", "○  Multiple locations  false")
        window.press("/", "m", "u", "l", "t", "i", "Enter", "Space")
        try window.wait(for: "▌●  Multiple locations  true")
        try window.press("Escape", showing: "Maintenance mode")
        window.press("q")
        // The second start.
        try window.wait(
            for: "This is the built-in sample.", "▌●  Multiple locations  true", "1 changed")
        #expect(workplace.flagmenu("get enable_multiple_locations").text == "true\n")
        #expect(workplace.flagmenu("reset --all --yes").status == 0)
        #expect(workplace.flagmenu("get enable_multiple_locations").text == "false\n")
        try window.wait(for: " ○  Multiple locations  false", "nothing changed")
    }

    @Test func `five keys after the start toggle a flag`() throws {
        let window = try TerminalWindow(workplace)
        // Typed before anything is drawn: no key may be lost.
        window.press("/", "m", "u", "Enter", "Space")
        try window.wait(for: "▌●  Multiple locations")
        #expect(Clock.wait { workplace.flagmenu("get enable_multiple_locations").text == "true\n" })
    }

    @Test func `Ctrl-C leaves with exit code 130`() throws {
        let window = try TerminalWindow(workplace, "flagmenu; echo ended $?; exec cat", showing: ["Multiple locations"])
        try window.press("C-c", showing: "ended 130")
    }
}
