import Foundation
import TestSupport
import Testing

/// What the menu offers to open at the start, and switching sources without quitting.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct OpeningInTheMenuTests {
    private let workplace = Workplace()

    init() {
        workplace.write(#"{"from_remote": "true", "limit": "1"}"#, to: "remote.json")
        workplace.write(#"{"from_staging": "true", "limit": "1"}"#, to: "staging.json")
    }

    @Test func `in a folder with documents Enter opens the first document`() throws {
        let window = try TerminalWindow(workplace, "$TESTED_FLAGMENU")
        try window.wait(
            for: "> 1 remote.json", "2 staging.json", "3 init", "4 built-in sample", "Choose what to open.")
        try window.press("Enter", showing: "FlagMenu · remote", "from_remote")
        window.press("Space")
        #expect(
            Clock.wait { workplace.flagmenu("list --overridden --source remote.json").text.contains("from_remote") })
    }

    @Test func `at the start esc quits, and keys typed ahead go to the sheet`() throws {
        let window = try TerminalWindow(
            workplace, "$TESTED_FLAGMENU; $TESTED_FLAGMENU; echo ended $?; read -r go; $TESTED_FLAGMENU; exec cat")
        try window.press("2", showing: "FlagMenu · staging", "from_staging")
        try window.press("q", showing: "> 1 remote.json")
        try window.press("Escape", showing: "ended 0")
        window.press("Enter", "4")
        try window.wait("the sample") { $0.contains("Multiple locations") && !$0.contains("remote.json") }
    }

    @Test func `with an explicit source or app no sheet is shown`() throws {
        for line in ["flagmenu --source staging.json", "flagmenu --app x", "FLAGMENU_SOURCE=staging.json flagmenu"] {
            let window = try TerminalWindow(workplace, line)
            try window.wait("the list without a sheet") { $0.contains("q quit") && !$0.contains("esc back") }
        }
    }

    @Test func `another source opens on the same screen, and the end reports the overrides of each app`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json; echo ended $?; exec cat", rows: 20)
        try window.wait(for: "from_remote")
        window.record(to: "sent")
        try window.press("Space", showing: "▌○  from_remote")
        window.press(":", "o", "p", "e", "n", "Enter")
        try window.wait(for: "1 remote.json document, 1 override, open now", "> 2 staging.json")
        try window.press("Enter", "Space", showing: "FlagMenu · staging", "▌○  from_staging")
        // The previous source is not watched any more.
        workplace.write(#"{"limit": "2"}"#, to: "remote.json")
        workplace.write(#"{"from_staging": "true", "limit": "3"}"#, to: "staging.json")
        try window.wait(for: "staging.json: 1 value changed: limit 1 → 3.")
        // The alternate screen was not left in between.
        #expect(workplace.read("sent")?.contains("\u{1B}[?1049") == false)
        window.press("q")
        try window.wait(
            for: "1 override is active for remote;", "1 override is active for staging;", "ended 0")
    }

    @Test func `a source that cannot be opened leaves the menu unchanged`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json", showing: ["from_remote"])
        try window.press(":", "o", "p", "e", "n", "Enter", "e", "n", "o", "Enter", showing: "no: no such file")
        window.press("C-u", "s", "t", "a", "g", "i", "n", "g", ".", "j", "s", "o", "n", "Enter")
        try window.wait(for: "FlagMenu · staging")
    }

    @Test func `init prompts on the normal screen, then the menu opens with the new configuration`() throws {
        let window = try TerminalWindow(workplace, "$TESTED_FLAGMENU; echo ended $?; exec cat", showing: ["3 init"])
        try window.press("3", showing: "The app's id")
        try window.press("Enter", showing: "Where are remote values read from?")
        try window.press("Enter", "Enter", "Enter", showing: "FlagMenu · work", "from_remote")
        try window.press("q", showing: "Wrote ", "ended 0")
    }

    @Test func `in line mode the choice of a source is a numbered prompt`() {
        let run = workplace.plainFlagmenu("--accessible", input: "2\n1 = false\n:open\n1\nq\n", isOnTerminal: true)
        #expect(run.status == 0)
        for words in [
            "1. remote.json, document.", "FlagMenu, staging.", "2. staging.json, document, 1 override, open now.",
            "FlagMenu, remote.",
        ] { #expect(run.text.contains(words), "\(words): \(run.text)") }
        let quit = workplace.plainFlagmenu("--accessible", input: "\n", isOnTerminal: true)
        #expect(quit.status == 0 && quit.text.contains("Enter quits."), "\(quit.text)")
    }

    @Test func `a menu in a pipe offers nothing, and lists what it found`() {
        let run = workplace.plainFlagmenu("--accessible", input: "1 1\nq\n")
        #expect(run.status == 2 && run.errorText.contains("Found: documents remote.json, staging.json."))
    }
}
