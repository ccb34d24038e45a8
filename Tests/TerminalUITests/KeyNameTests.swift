import TerminalUI
import Testing

/// How a configuration names keys.
@Suite struct KeyNameTests {
    @Test(arguments: [
        ("space", KeyPress.character(" ")), ("t", .character("t")), ("T", .character("T")), ("ü", .character("ü")),
        ("ctrl-r", .control("r")), ("^R", .control("r")), ("F5", .function(5)), ("PgUp", .pageUp), ("pgup", .pageUp),
        ("shift-tab", .backTab), ("esc", .escape),
    ])
    func aNameStandsForItsKey(name: String, key: KeyPress) {
        #expect(KeyPress(named: name) == key)
    }

    /// Whoever reads a key on the screen can write it down.
    @Test func theNameThatIsShownIsTheNameThatIsRead() {
        for (_, key) in KeyPress.named { #expect(KeyPress(named: key.name) == key, "\(key.name)") }
    }

    @Test(arguments: ["", "spce", "ctrl-", "ctrl-R", "F13", "ab", "\u{1B}", "\u{200B}", "e\u{301}"])
    func whatIsNoKeyIsNone(name: String) {
        #expect(KeyPress(named: name) == nil)
    }

    @Test(arguments: ["ctrl-i", "^M", "ctrl-j", "alt-x", "Meta-x", "shift-up", "ctrl-shift-a", "ctrl-c"])
    func aKeyThatNeverArrivesIsToldAndRefused(name: String) {
        #expect(KeyPress.obstacle(toName: name) != nil)
        #expect(KeyPress(named: name) == nil)
    }
}
