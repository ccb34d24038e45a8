import FlagModel
import TerminalUI
import TestSupport
import Testing

@testable import DeveloperMenu

/// Random text in the editor of every type: exactly the valid texts are saved, and undo reverts them.
@Suite(.slow) struct EditedValuesTests {
    private static let flags = RemoteSnapshot.snapshot(
        #"""
        {"a_bool": "true", "an_int": "7", "a_double": "1.5", "a_string": "x", "a_json": "{\"a\":[1,2]}",
         "config_categories": [{"category": "C", "items": [
           {"key": "a_bool", "type": "bool"}, {"key": "an_int", "type": "int", "min": -20, "max": 20},
           {"key": "a_double", "type": "double", "max": 99}, {"key": "a_string", "type": "string"},
           {"key": "a_json", "type": "json"}]}]}
        """#)

    private static let pieces = [
        "0", "1", "-", "9", ".", "e", "5", "true", "off", "{", "}", "[", "]", "\"", ":", ",", " ", "\n", "\\", "é", "日",
        "\"k\"", "null", "👩‍👩‍👧", "\u{202E}",
    ]

    @Test(arguments: ["an_int", "a_double", "a_string", "a_json"], 1...4 as ClosedRange<UInt64>)
    func `saves exactly the valid texts`(key: String, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (savedCount, rejectedCount) = (0, 0)
        for _ in 1...50 {
            var menu = MenuDriver(Self.flags, pressing: "/\(key)<enter><enter>")
            if Bool.random(using: &random) { Self.clear(&menu) }
            for _ in 0..<Int.random(in: 0...5, using: &random) { menu.happens(.key(Self.key(&random))) }
            let editor = try #require(menu.state.sheet(ValueEditor.self))
            let flag = menu.state.facts(of: FlagText(key))
            if editor.isUnchanged(flag) {
                menu.press("<c-s>")
                #expect(menu.saved == [:] && menu.state.mode == .list)
                continue
            }
            let isValid = flag.invalidReason(to: editor.text) == nil
            menu.press("<c-s>")
            #expect((menu.saved[key] != nil) == isValid, "\(editor.text)")
            if let saved = menu.saved[key] {
                savedCount += 1
                #expect(flag.invalidReason(to: saved) == nil)
                #expect(menu.state.mode == .list)
                #expect(menu.press("u").saved == [:])
                #expect(menu.value(key) == flag.value)
            } else {
                rejectedCount += 1
                let openEditor = try #require(menu.state.sheet(ValueEditor.self))
                #expect(openEditor.text == editor.text)
                #expect(openEditor.error != nil)
            }
        }
        #expect(savedCount > 0)
        #expect(rejectedCount > 0 || key == "a_string")
    }

    private static func clear(_ menu: inout MenuDriver) {
        menu.press(menu.state.mode.part == .json ? "<pgdn><c-e>\(String(repeating: "<bs>", count: 40))" : "<c-e><c-u>")
    }

    private static func key(_ random: inout SeededGenerator) -> KeyPress {
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return [.left, .right, .home, .end, .controlLeft, .controlRight][Int.random(in: 0..<6, using: &random)]
        case 1: return [.backspace, .delete, .control("w"), .control("k")][Int.random(in: 0..<4, using: &random)]
        case 2: return [.up, .down, .control("_")][Int.random(in: 0..<3, using: &random)]
        case 3: return .paste(piece)
        default: return piece.count == 1 && piece != "\n" ? .character(Character(piece)) : .paste(piece)
        }
    }
}
