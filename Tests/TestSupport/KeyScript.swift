public import TerminalUI

/// Key presses written as text.
///
/// A character stands for its key, and names of keys are in angle brackets: `jj<space>/chk<enter><c-r><f1>`. `<lt>` is
/// `<`. `<paste:two words>` is a paste, in which `{lt}`, `{gt}` and `{nl}` mean `<`, `>` and a new line.
/// `<click:3,10>`, `<wheel-up:3,10>` and `<wheel-down:3,10>` are mouse events at row 3, column 10, counted from 0. A
/// bracket without a known name stands for its own key.
public enum KeyScript {
    /// The keys of a script.
    public static func parse(_ script: String) -> [KeyPress] {
        var keys: [KeyPress] = []
        var remaining = script[...]
        while let first = remaining.first {
            if first == "<", let end = remaining.firstIndex(of: ">"),
                let key = key(named: remaining[..<end].dropFirst())
            {
                keys.append(key)
                remaining = remaining[end...].dropFirst()
            } else {
                keys.append(first == "\n" ? .enter : .character(first))
                remaining = remaining.dropFirst()
            }
        }
        return keys
    }

    private static func key(named name: Substring) -> KeyPress? {
        if let key = namedKeys[name.lowercased()] { return key }
        if name.hasPrefix("paste:") { return .paste(pastedText(name.dropFirst("paste:".count))) }
        if let mouse = mousePress(name.lowercased()) { return .mouse(mouse) }
        if name.count == 3, name.lowercased().hasPrefix("c-"), let letter = name.lowercased().last {
            return .control(letter)
        }
        if ["a-b", "a-f"].contains(name), let letter = name.last { return .alt(letter) }
        if name.lowercased().hasPrefix("f"), let number = Int(name.dropFirst()), (1...63).contains(number) {
            return .function(number)
        }
        return nil
    }

    private static let namedKeys: [String: KeyPress] = [
        "space": .character(" "), "lt": .character("<"), "gt": .character(">"), "enter": .enter, "cr": .enter,
        "esc": .escape, "tab": .tab, "s-tab": .backTab, "backtab": .backTab, "bs": .backspace, "backspace": .backspace,
        "del": .delete, "up": .up, "down": .down, "left": .left, "right": .right, "pgup": .pageUp, "pgdn": .pageDown,
        "home": .home, "c-left": .controlLeft, "c-right": .controlRight, "end": .end, "ins": .insert,
    ]

    private static let mouseNames: [String: MousePress.Kind] = [
        "click": .press, "wheel-up": .wheelUp, "wheel-down": .wheelDown,
    ]

    private static func mousePress(_ name: String) -> MousePress? {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = mouseNames[String(parts[0])] else { return nil }
        let coordinates = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard coordinates.count == 2, let row = coordinates[0], let column = coordinates[1] else { return nil }
        return MousePress(kind, at: Position(row: row, column: column))
    }

    private static func pastedText(_ text: Substring) -> String {
        String(text.replacing("{lt}", with: "<").replacing("{gt}", with: ">").replacing("{nl}", with: "\n"))
    }
}
