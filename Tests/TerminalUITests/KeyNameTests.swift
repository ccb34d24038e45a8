import TerminalUI
import Testing

/// Key names in the configuration.
@Suite struct KeyNameTests {
    @Test(arguments: [
        ("space", KeyPress.character(" ")), ("t", .character("t")), ("T", .character("T")), ("ü", .character("ü")),
        ("ctrl-r", .control("r")), ("^R", .control("r")), ("F5", .function(5)), ("PgUp", .pageUp), ("pgup", .pageUp),
        ("shift-tab", .backTab), ("esc", .escape),
    ])
    func `name is parsed as its key`(name: String, key: KeyPress) {
        #expect(KeyPress(named: name) == key)
    }

    /// Users can copy a key's name from the screen to the configuration.
    @Test func `displayed name is parsed as the same key`() {
        for (_, key) in KeyPress.named { #expect(KeyPress(named: key.name) == key, "\(key.name)") }
    }

    @Test(arguments: ["", "spce", "ctrl-", "ctrl-R", "F13", "ab", "\u{1B}", "\u{200B}", "e\u{301}"])
    func `invalid name is not a key`(name: String) {
        #expect(KeyPress(named: name) == nil)
    }

    @Test(arguments: ["ctrl-i", "^M", "ctrl-j", "alt-x", "Meta-x", "shift-up", "ctrl-shift-a", "ctrl-c"])
    func `key that terminals cannot send is rejected`(name: String) {
        #expect(KeyPress.blocker(toName: name) != nil)
        #expect(KeyPress(named: name) == nil)
    }
}
