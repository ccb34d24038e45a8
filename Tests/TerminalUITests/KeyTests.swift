import TerminalUI
import TestSupport
import Testing

@Suite struct KeyTests {
    @Test func `script is parsed`() {
        #expect(
            KeyScript.parse("j<space>/c<enter><C-R><lt><f12><paste:a {lt}b{gt}{nl}c><s-tab><esc>") == [
                .character("j"), .character(" "), .character("/"), .character("c"), .enter, .control("r"),
                .character("<"), .function(12), .paste("a <b>\nc"), .backTab, .escape,
            ])
    }

    @Test func `unknown brackets are characters`() {
        #expect(KeyScript.parse("<x>") == [.character("<"), .character("x"), .character(">")])
        #expect(KeyScript.parse("a<") == [.character("a"), .character("<")])
        #expect(KeyScript.parse("") == [])
    }

    @Test func `mouse is parsed`() {
        let place = Position(row: 3, column: 10)
        #expect(
            KeyScript.parse("<click:3,10><wheel-up:3,10><Wheel-Down:3,10>") == [
                .mouse(MousePress(.press, at: place)), .mouse(MousePress(.wheelUp, at: place)),
                .mouse(MousePress(.wheelDown, at: place)),
            ])
        #expect(KeyScript.parse("<click:3>").count == 9)
        #expect(
            MousePress.Kind.allCases.map { KeyPress.mouse(MousePress($0, at: place)).name } == [
                "click", "wheel-up", "wheel-down",
            ])
    }

    @Test(arguments: [
        (KeyPress.character(" "), "space"), (.character("x"), "x"), (.control("r"), "^R"), (.pageUp, "PgUp"),
        (.controlLeft, "ctrl-left"),
        (.function(1), "F1"), (.enter, "enter"), (.character("\u{9B}"), "<U+009B>"),
    ])
    func `keys have names`(key: KeyPress, name: String) {
        #expect(key.name == name)
    }
}
