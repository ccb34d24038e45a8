import Foundation
import TestSupport
import Testing

/// The user's external editor, which takes over a real terminal and returns it.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct OutsideEditorTests {
    private let workplace = Workplace()

    /// Opens the JSON of the first flag of a menu, and presses the key for the external editor, which is a script.
    ///
    /// - Parameter script: the script of the shell around the menu; `MENU` is replaced by the menu command.
    private func editing(
        editor: String, named: String = "EDITOR", script: String = "MENU; exec cat"
    ) throws -> TerminalWindow {
        workplace.write(
            #"""
            {"screen": {"label": "Welcome"}, "config_categories": [{"category": "C", "items": [
              {"key": "screen", "title": "Login screen", "type": "json"}]}]}
            """#, to: "flags.json")
        workplace.write("#!/bin/sh\n\(editor)\n", to: "editor.sh")
        workplace.write("", to: "tmp/keep")
        let window = try TerminalWindow(
            workplace, script.replacing("MENU", with: "flagmenu --source flags.json --store store"),
            variables: [named: "sh \(workplace.place("editor.sh")) --flag", "TMPDIR": workplace.place("tmp")])
        try window.wait(for: "Login screen")
        try window.press("Enter", showing: "\"label\": \"Welcome\"", "$EDITOR")
        window.press("C-g")
        return window
    }

    private var value: String { workplace.flagmenu("get screen --source flags.json --store store").text }

    private var leftovers: [String] {
        let states = "\(workplace.home)/.local/state/flagmenu"
        return workplace.names(in: states).flatMap { workplace.names(in: "\(states)/\($0)/editing") }
    }

    @Test func `the external editor has the terminal, and the value that it saves is set`() throws {
        let window = try editing(
            editor: #"""
                echo "editing ${2##*/} with $1"; cat "$2"; stty -a < /dev/tty | grep -o ' icanon'
                read word < /dev/tty
                printf '{\n  "label": "%s"\n}\n' "$word" > "$2"
                """#)
        try window.wait(for: "editing value.json with --flag", "  \"label\": \"Welcome\"", " icanon")
        #expect(window.value("alternate_on") == "0")
        try window.press("H", "i", "Enter", showing: "▌   Login screen", "The value from the editor is set.")
        #expect(window.value("alternate_on") == "1")
        #expect(Clock.wait { value == "{\"label\":\"Hi\"}\n" })
        #expect(workplace.names(in: "tmp") == ["keep"] && leftovers == [], "the temporary file is deleted")
        window.press("u")
        #expect(Clock.wait { value == "{\"label\":\"Welcome\"}\n" })
    }

    @Test func `invalid text from the external editor opens in the menu's editor`() throws {
        let window = try editing(editor: #"printf '{"label": }' > "$2""#, named: "VISUAL")
        try window.wait(for: "! Not JSON: line 1, column 11: expected a value, found '}'.", "{\"label\": }")
        try window.press("1", "C-s", showing: "▌   Login screen")
        #expect(Clock.wait { value == "{\"label\":1}\n" })
    }

    @Test(arguments: [
        ("exit 3", "The editor exited with code 3. The value is unchanged."),
        ("kill -9 $$", "The editor was terminated by signal 9. The value is unchanged."),
        (#"rm "$2""#, "The editor left no file. The value is unchanged."),
        (#"printf '\377' > "$2""#, "The editor wrote text that is not UTF-8. The value is unchanged."),
        ("nosuchprogram; exit 127", "The editor cannot run; the value is unchanged. Set EDITOR to one that can."),
        (#"rm "$2"; mkdir -p "$2/deep""#, "The editor left a directory in the file's place. The value is unchanged."),
        (":", "Nothing was changed in the editor."),
    ])
    func `an external editor that fails changes nothing and shows a message`(script: String, message: String) throws {
        let window = try editing(editor: script)
        try window.wait(for: message, "\"label\": \"Welcome\"")
        try window.press("Escape", showing: "nothing changed", "q quit")
        #expect(workplace.names(in: "tmp") == ["keep"] && leftovers == [])
    }

    /// An editor that stops itself gives the terminal to the shell, as Ctrl-Z does, and `fg` continues it.
    @Test func `a stopped editor stops the job, and fg continues it`() throws {
        let window = try editing(
            editor: #"echo editing; kill -STOP $$; echo again; printf '{"label":"later"}' > "$2""#,
            script: "set -m; MENU; echo stopped; read line; fg; exec cat")
        try window.wait(for: "editing", "stopped")
        try window.press("Enter", showing: "▌   Login screen", "The value from the editor is set.")
        #expect(Clock.wait { value == "{\"label\":\"later\"}\n" })
        #expect(leftovers == [])
    }

    @Test func `Ctrl-Z in the editor stops the job once`() throws {
        let window = try editing(
            editor: #"echo editing; read word < /dev/tty; printf '{"label":"%s"}' "$word" > "$2""#,
            script: "set -m; MENU; echo stopped; read line; fg; exec cat")
        try window.wait(for: "editing")
        try window.press("C-z", showing: "stopped")
        try window.press("Enter", "H", "i", "Enter", showing: "▌   Login screen", "The value from the editor is set.")
        #expect(Clock.wait { value == "{\"label\":\"Hi\"}\n" })
    }

    /// There is no shell that could run `fg`.
    @Test func `without job control a stopped editor is continued`() throws {
        let window = try editing(editor: #"kill -STOP $$; printf '{"label":"later"}' > "$2""#)
        try window.wait(for: "▌   Login screen", "The value from the editor is set.")
    }

    @Test func `a cursor hidden by the editor is shown again in the menu and after Ctrl-C`() throws {
        // Ctrl-C in the editor also reaches the shell around the menu, which would exit without the trap.
        let window = try editing(
            editor: #"printf '\033[?25l'; echo editing; exec sleep 1000"#, script: "trap : INT; MENU; exec cat")
        try window.wait(for: "editing")
        #expect(Clock.wait { window.value("cursor_flag") == "0" })
        try window.press("C-c", showing: "The editor was terminated by signal 2.")
        #expect(Clock.wait { window.value("cursor_flag") == "1" })
        window.press("C-c")
        #expect(Clock.wait { window.value("alternate_on") == "0" })
        #expect(window.value("cursor_flag") == "1")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal to the menu ends the editor too and deletes its file`(signal: Int32) throws {
        let window = try editing(
            editor: #"echo $$ > editor.pid; printf '\033[?25l\033[?1003h'; echo editing; exec sleep 1000"#,
            script: "\(Workplace.scriptSavingProcessID(of: "MENU")); exec cat")
        try window.wait(for: "editing")
        #expect(leftovers.count == 1)
        kill(try #require(workplace.process()), signal)
        try window.wait(for: "ended \(128 + signal)")
        #expect(leftovers == [] && value == "{\"label\":\"Welcome\"}\n")
        #expect(
            window.value("cursor_flag") == "1" && window.value("mouse_any_flag") == "0",
            "the modes that the editor set are reset")
        let editor = try #require(workplace.process("editor.pid"))
        #expect(Clock.wait { kill(editor, 0) != 0 }, "the editor has ended too")
    }
}
