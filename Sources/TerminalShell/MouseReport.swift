import TerminalUI

/// The mouse reports of terminals: xterm's modes 1000 (buttons and wheel) and 1006 (decimal numbers). Every terminal
/// with a mouse supports both modes, or at least mode 1000 (xterm's ctlseqs, "Mouse Tracking").
enum MouseReport {
    static let on = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
    static let off = Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)

    /// The mouse event in `ESC [ < button ; column ; row M`; `nil` for any other sequence. A sequence for a released
    /// button ends in a lower-case m and also gives `nil`.
    static func press(_ content: [UInt8], last: UInt8) -> MousePress? {
        guard last == UInt8(ascii: "M"), content.first == UInt8(ascii: "<") else { return nil }
        let numbers = content.dropFirst().split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2] else {
            return nil
        }
        return press(button: button, column: column, row: row)
    }

    /// The mouse event in the three bytes after `ESC [ M`; `nil` for other events.
    static func press(old bytes: [UInt8]) -> MousePress? {
        let numbers = bytes.map { Int($0) - 0x20 }
        return press(button: numbers[0], column: numbers[1], row: numbers[2])
    }

    /// Ignores the bits for Shift (4), Alt (8) and Control (16). Motion (32) is not requested.
    private static func press(button: Int, column: Int, row: Int) -> MousePress? {
        guard column > 0, row > 0, (0..<128).contains(button) else { return nil }
        let kinds: [Int: MousePress.Kind] = [0: .press, 64: .wheelUp, 65: .wheelDown]
        return kinds[button & ~0b11100].map { MousePress($0, at: Position(row: row - 1, column: column - 1)) }
    }
}
