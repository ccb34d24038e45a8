import Foundation
import TestSupport
import Testing

/// Line mode of the built program, on a terminal and in a pipe.
@Suite(.mayBlock) struct MenuInLinesTests {
    private let workplace = Workplace()

    @Test(arguments: [["TERM": "dumb"], ["TERM": nil], ["TERM": ""], ["FLAGMENU_ACCESSIBLE": "1"]])
    func `line mode starts on a dumb terminal or with FLAGMENU_ACCESSIBLE`(variables: [String: String?]) {
        let input = "1 1\n/price\n1 = 2.5\nesc\nu\nq\n"
        let run = workplace.flagmenu([], input: input, environment: variables, isOnTerminal: true)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("FlagMenu, sample. 8 flags in 5 categories. No changes are active."), "\(run.text)")
        #expect(run.text.contains("Price factor: 2.5, changed, was 1.0.\n2 changed.\n"), "\(run.text)")
        #expect(
            run.text.hasSuffix("Closed. 1 override is active for sample; `flagmenu reset --all --sample` resets it.\n"))
        #expect(run.output.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F }, "\(run.text)")
        #expect(workplace.flagmenu("get enable_multiple_locations").text == "true\n")
    }

    @Test func `--accessible reads lines from a pipe and quits at their end`() {
        let run = workplace.flagmenu("--accessible", input: "1 1\n3 = Good evening\n")
        #expect(run.status == 0)
        #expect(run.errorText == "")
        #expect(
            run.text.hasSuffix(
                "2 changed.\nMenu: \nClosed. 2 overrides are active for sample; `flagmenu reset --all --sample` resets them.\n"
            ),
            "\(run.text)")
        #expect(workplace.flagmenu("get greeting_text").text == "Good evening\n")
    }

    @Test func `a shared state that was broken into lines can be pasted into line mode`() {
        #expect(workplace.flagmenu("set enable_multiple_locations true").status == 0)
        let string = workplace.flagmenu("share").text.filter { $0 != "\n" }
        #expect(workplace.flagmenu("reset --all --yes").status == 0)
        let lines = stride(from: 0, to: string.count, by: 40).map { String(string.dropFirst($0).prefix(40)) }
        #expect(lines.count > 1)
        let run = workplace.flagmenu("--accessible", input: lines.joined(separator: "\n") + "\na\n")
        #expect(run.text.contains("Next line of the shared state, or Enter to end: "), "\(run.text)")
        #expect(workplace.flagmenu("get enable_multiple_locations").text == "true\n", "\(run.text)")
        let cut = workplace.flagmenu("--accessible", input: "\(lines[0])\n\n2 = 3\n")
        #expect(cut.text.contains("The shared state is cut"), "\(cut.text)")
    }

    @Test func `empty or binary input does no harm in line mode`() {
        #expect(workplace.flagmenu("--accessible").status == 0)
        let run = workplace.shell("printf '\\377\\376\\000\\n\\033[A\\n1' | flagmenu --accessible; echo ended $?")
        #expect(run.text.hasSuffix("Closed. No changes are active.\nended 0\n"), "\(run.text)")
        #expect(run.output.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F })
    }

    @Test func `line mode ends when its output pipe is closed`() {
        let run = workplace.shell("yes 1 | flagmenu --accessible | head -1; echo ended")
        #expect(run.text.hasSuffix("ended\n"), "\(run.text)")
    }

    @Test(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason))
    func `in line mode Ctrl-D quits, Ctrl-C exits with 130, and resizing does no harm`() throws {
        // The terminal sends Ctrl-C to the shell as well.
        let script = "trap : INT; flagmenu; echo ended $?; read -r go; flagmenu; echo ended $?; exec cat"
        let window = try TerminalWindow(workplace, script, variables: ["TERM": "dumb"], showing: ["q to quit:"])
        window.resize(columns: 60, rows: 20)
        window.press("1", "x", "BSpace", "Enter")
        try window.wait(for: "1 of 8. Multiple locations")
        #expect(window.value("alternate_on") == "0")
        try window.press("C-d", showing: "Closed. No changes are active.\nended 0")
        window.press("Enter")
        try window.wait("the second start") { text in
            text.components(separatedBy: "ended 0\n").last?.contains("q to quit:") == true
        }
        try window.press("C-c", showing: "ended 130")
    }

    @Test(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason))
    func `line mode reports changes made elsewhere before the next prompt`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --accessible", showing: ["q to quit:"])
        #expect(workplace.flagmenu("set enable_multiple_locations true").status == 0)
        // A response that was sent before the update arrived does not report it. The next one does.
        try window.wait("the update") { text in
            let words = text.replacing("\n", with: " ")
            if words.contains("Meanwhile: Multiple locations: true, changed, was false.") {
                return words.contains("1 changed. Source")
            }
            let prompt = text.split(separator: "\n").last ?? ""
            if prompt.hasSuffix(":") || prompt.hasSuffix(": ") {
                window.press("s", "u", "m", "m", "a", "r", "y", "Enter")
            }
            return false
        }
    }
}
