import TerminalUI
import Testing

@Suite struct KeyTests {
    @Test(arguments: [
        (KeyPress.character(" "), "space"), (.character("x"), "x"), (.control("r"), "^R"), (.pageUp, "PgUp"),
        (.controlLeft, "ctrl-left"), (.function(1), "F1"), (.enter, "enter"), (.character("\u{9B}"), "<U+009B>"),
    ])
    func `keys have names`(key: KeyPress, name: String) {
        #expect(key.name == name)
    }

    @Test func `mouse events have names`() {
        let names = MousePress.Kind.allCases.map {
            KeyPress.mouse(MousePress($0, at: Position(row: 3, column: 10))).name
        }
        #expect(names == ["click", "wheel-up", "wheel-down"])
    }
}
