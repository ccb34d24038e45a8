import TestSupport
import Testing

/// A source file that changes while the menu is open.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct SourceOnDiskTests {
    private let workplace = Workplace()

    @Test func `an edit on disk is in use within a second, and the message lists its values`() throws {
        workplace.write(#"{"fruit": "apricot", "old_banner": "true"}"#, to: "remote.json")
        let window = try TerminalWindow(workplace, "flagmenu --source remote.json", columns: 120)
        try window.wait(for: "fruit", "apricot")
        workplace.write(#"{"fruit": "bergamot", "old_banner": "true"}"#, to: "remote.json")
        #expect(
            Clock.wait(atMost: 1) {
                window.text.contains("remote.json: 1 value changed: fruit apricot → bergamot.")
            }, "\(window.text)")
        #expect(workplace.flagmenu("get fruit --source remote.json").text == "bergamot\n")
    }

    @Test func `an edit applies only after a confirmation if the project activates by hand`() throws {
        workplace.write(#"{"app": "shop", "source": "remote.json", "activate": "manual"}"#, to: "flagmenu.json")
        workplace.write(#"{"fruit": "apricot", "old_banner": "true", "size": "1"}"#, to: "remote.json")
        let window = try TerminalWindow(workplace, "flagmenu", showing: ["fruit", "apricot"])
        workplace.write(#"{"fruit": "bergamot", "new_banner": "false", "size": "1"}"#, to: "remote.json")
        #expect(
            Clock.wait(atMost: 1) { window.text.contains("remote.json has changed: 3 values differ. a activates") },
            "\(window.text)")
        #expect(window.text.contains("apricot"))
        window.press("a")
        try window.wait(
            for: "Activate 3 remote values?", "1 changed, 1 added, 1 removed.", "fruit apricot -> bergamot",
            "new_banner not set -> false", "old_banner true -> not set")
        #expect(
            workplace.flagmenu("get fruit").text == "apricot\n",
            "the change is not active before the confirmation")
        try window.press("y", showing: "Activated")
        #expect(workplace.flagmenu("get fruit new_banner").text == "bergamot\nfalse\n")
    }
}
