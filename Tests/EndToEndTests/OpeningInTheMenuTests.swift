import Foundation
import TestSupport
import Testing

/// What a folder offers at the start, and going from one source to another without leaving.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct OpeningInTheMenuTests {
    private let workplace = Workplace()

    init() {
        workplace.write(#"{"from_remote": "true", "limit": "1"}"#, to: "remote.json")
        workplace.write(#"{"from_staging": "true", "limit": "1"}"#, to: "staging.json")
    }

    @Test func `beside documents the first key opens the first of them`() throws {
        let window = try TerminalWindow(workplace)
        try window.wait(
            for: "> 1 remote.json", "2 staging.json", "3 built-in sample", "4 init",
            "This folder has documents to open.")
        window.press("Enter")
        try window.wait(for: "FlagMenu · remote", "from_remote")
        window.press("Space")
        #expect(
            Clock.wait { workplace.flagmenu("list --overridden --source remote.json").text.contains("from_remote") })
    }

    @Test func `esc stays on the sample, and keys that come too early are for the sheet`() throws {
        let window = try TerminalWindow(workplace, "flagmenu; flagmenu; exec cat")
        window.press("2")
        try window.wait(for: "FlagMenu · staging", "from_staging")
        window.press("q")
        try window.wait(for: "> 1 remote.json")
        window.press("Escape")
        try window.wait("the sample") { $0.contains("Multiple locations") && !$0.contains("remote.json") }
    }

    @Test func `who names something is offered nothing`() throws {
        for line in ["flagmenu --source staging.json", "flagmenu --app x", "FLAGMENU_SOURCE=staging.json flagmenu"] {
            let window = try TerminalWindow(workplace, line)
            try window.wait("the list without a sheet") { $0.contains("q quit") && !$0.contains("esc back") }
        }
    }

    @Test func `another source is opened on the same screen, and each app is told of its overrides at the end`() throws
    {
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json; echo ended $?; exec cat", rows: 20)
        try window.wait(for: "from_remote")
        window.record(to: "sent")
        window.press("Space")
        try window.wait(for: "* from_remote")
        window.press(":", "o", "p", "e", "n", "Enter")
        try window.wait(for: "1 remote.json document, app remote, 1 override, open now", "> 2 staging.json")
        window.press("Enter", "Space")
        try window.wait(for: "FlagMenu · staging", "* from_staging")
        // The source before is not followed any more.
        workplace.write(#"{"limit": "2"}"#, to: "remote.json")
        workplace.write(#"{"from_staging": "true", "limit": "3"}"#, to: "staging.json")
        try window.wait(for: "staging.json has changed: 1 value differs.")
        // The terminal was not given back in between.
        #expect(workplace.read("sent")?.contains("\u{1B}[?1049") == false)
        window.press("q")
        try window.wait(
            for: "1 override is in force for remote;", "1 override is in force for staging;", "ended 0")
    }

    @Test func `what cannot be opened leaves the menu as it is`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json")
        try window.wait(for: "from_remote")
        window.press(":", "o", "p", "e", "n", "Enter", "e", "n", "o", "Enter")
        try window.wait(for: "no: no such file")
        window.press("C-u", "s", "t", "a", "g", "i", "n", "g", ".", "j", "s", "o", "n", "Enter")
        try window.wait(for: "FlagMenu · staging")
    }

    @Test func `init asks where the screen was, and the menu opens on what it writes`() throws {
        let window = try TerminalWindow(workplace, "flagmenu; echo ended $?; exec cat")
        try window.wait(for: "4 init")
        window.press("4")
        try window.wait(for: "Where are remote values read from?")
        window.press("Enter", "Enter", "Enter", "Enter", "Enter")
        try window.wait(for: "FlagMenu · work", "from_remote")
        window.press("q")
        try window.wait(for: "Wrote ", "ended 0")
    }

    @Test func `in lines it is a numbered question, on a terminal`() {
        let run = workplace.flagmenu(
            ["--accessible"], input: "2\n1 = true\n:open\n1\nq\n", isOnTerminal: true)
        #expect(run.status == 0)
        for words in [
            "1. remote.json, document, app remote.", "FlagMenu, staging.",
            "2. staging.json, document, app staging, 1 override, open now.",
            "FlagMenu, remote.",
        ] { #expect(run.text.contains(words), "\(words): \(run.text)") }
    }

    @Test func `from a pipe nothing is asked`() {
        let run = workplace.flagmenu("--accessible", input: "1 1\n:open\n1\nq\n")
        #expect(run.status == 0 && run.text.contains("flagmenu --source remote.json opens the document here"))
        #expect(run.text.contains("FlagMenu, remote."), "asked for, it is as on a terminal: \(run.text)")
        #expect(workplace.flagmenu("get enable_multiple_locations").text == "true\n")
    }
}
