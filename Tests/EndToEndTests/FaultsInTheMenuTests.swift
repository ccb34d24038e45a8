import Foundation
import TestSupport
import Testing

/// Errors while the menu is open are shown, and nothing is lost.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct FaultsInTheMenuTests {
    private let workplace = Workplace()

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system needs root and Linux"))
    func `a full disk shows an error, and r saves again once there is space`() throws {
        let disk = try SmallDisk(at: workplace.place("kept"), kilobytes: 64)
        let window = try TerminalWindow(workplace, "flagmenu --store kept", columns: 160)
        try window.wait(for: "Multiple locations")
        try window.press("Space", showing: "1 changed")
        #expect(Clock.wait { workplace.flagmenu("get enable_multiple_locations --store kept").text == "true\n" })
        let before = workplace.read("kept/overrides.json")
        disk.fill()
        try window.press("/", "v", "a", "r", "i", "Enter", "Space", showing: "kept/overrides.json", "r save again")
        #expect(window.text.contains("No space left") || window.text.contains("full"), "\(window.text)")
        #expect(workplace.read("kept/overrides.json") == before)
        disk.free()
        window.press("r")
        try window.wait("the error to go away") { !$0.contains("r save again") }
        #expect(Clock.wait { workplace.flagmenu("get login_variant --store kept").text == "B\n" })
        #expect(workplace.flagmenu("get enable_multiple_locations --store kept").text == "true\n")
    }

    @Test func `fetching a broken source shows line and column, and the values stay`() throws {
        // Otherwise an edit is active at once if the watch of the file is quicker than the key.
        workplace.write(#"{"app": "shop", "source": "remote.json", "activate": "manual"}"#, to: "flagmenu.json")
        workplace.write("{\"first\": \"one\",\n \"second\": \"two\"}", to: "remote.json")
        let window = try TerminalWindow(workplace, "flagmenu", showing: ["first", "one"])
        workplace.write("{\"first\": \"one\",\n \"second\": tow}", to: "remote.json")
        try window.press("f", showing: "remote.json: line 2, column 12", "f fetch", "first", "one", "two")
        workplace.write("{\"first\": \"uno\",\n \"second\": \"two\"}", to: "remote.json")
        try window.press("f", showing: "Activate 1 remote value?", "first  one -> uno")
        try window.press("y", showing: "uno")
    }

    @Test func `a store damaged while the menu is open is reported, and the next change moves it aside`() throws {
        let window = try TerminalWindow(workplace, "flagmenu --store kept", columns: 160)
        try window.wait(for: "Multiple locations")
        try window.press("Space", showing: "1 changed")
        #expect(Clock.wait { workplace.read("kept/overrides.json") != nil })
        workplace.write("damaged", to: "kept/overrides.json")
        try window.wait(for: "line 1, column 1", "▌●  Multiple locations")
        window.press("/", "v", "a", "r", "i", "Enter", "Space")
        #expect(Clock.wait { workplace.names(in: "kept").contains { $0.hasPrefix("overrides.json.corrupt-") } })
        #expect(workplace.flagmenu("export --store kept").text.contains("enable_multiple_locations"))
    }

    @Test func `control sequences in a document are escaped`() throws {
        let payload =
            "A\u{1B}[2J\u{1B}]0;pwned\u{07}\u{1B}]52;c;cHduZWQ=\u{07}\u{9B}31m\r\n\u{202E}B\u{200B}\u{1B}c\u{7F}"
        let root: [String: Any] = [
            payload: payload,
            "config_categories": [
                [
                    "category": payload,
                    "items": [
                        ["key": payload, "title": payload, "description": payload, "value": "\(payload)|x"]
                    ],
                ]
            ],
        ]
        let data = try JSONSerialization.data(withJSONObject: root)
        workplace.write(String(decoding: data, as: UTF8.self), to: "remote.json")
        let window = try TerminalWindow(workplace, "read line; flagmenu --source remote.json; exec cat", columns: 160)
        window.record(to: "bytes")
        #expect(Clock.wait { workplace.read("bytes") != nil })
        let title = window.value("pane_title")
        try window.press("Enter", showing: "A^[[2J", "1 flag", "q quit")
        for key in ["Enter", "Escape", "Space", "?", "Escape", "/", "A", "Enter"] { window.press(key) }
        try window.wait(for: "/ A", "override")
        try window.press("C", showing: "y")
        #expect(window.value("pane_title") == title)
        #expect(window.tmux("list-buffers") == "")
        // Without the one query that the menu sends, for the background colour.
        let bytes = (workplace.read("bytes") ?? "").replacing("\u{1B}]11;?\u{7}", with: "")
        for sequence in [
            "\u{1B}]", "pwned\u{07}", "\u{9B}", "\u{202E}", "\u{200B}", "\u{1B}c", "\u{7F}", "cHduZWQ=\u{07}",
        ] {
            #expect(!bytes.contains(sequence), "\(sequence.debugDescription)")
        }
    }
}
