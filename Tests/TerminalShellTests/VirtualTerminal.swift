import TerminalUI

/// A terminal emulator for the sequences of xterm-256color's description: the screen that a user would see.
struct VirtualTerminal {
    private(set) var size: Size
    private(set) var isAlternate = false
    private(set) var isCursorShown = true
    private(set) var modes: Set<Int> = []
    private(set) var title: String?
    /// The last clipboard sequence's parameters, as sent.
    private(set) var clipboard: String?
    /// The received queries, in order.
    private(set) var queries: [String] = []
    /// The number of synchronized frames.
    private(set) var synchronizedFrames = 0
    private(set) var row = 0
    private(set) var column = 0
    /// Bytes that are not part of a known sequence.
    private(set) var unknown: [String] = []

    private var cells: [[Character]]
    private var scrolling: ClosedRange<Int>
    private var isWrapPending = false
    private var partial: [UInt8] = []
    private var last: Character = " "

    init(size: Size) {
        self.size = size
        cells = Self.blank(size)
        scrolling = 0...max(0, size.rows - 1)
    }

    private static func blank(_ size: Size) -> [[Character]] {
        Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
    }

    /// The text of a row without trailing spaces.
    func text(_ row: Int) -> String {
        guard row < cells.count else { return "" }
        var text = String(cells[row].filter { $0 != "\0" })
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The character in a cell; NUL in the second half of a wide character.
    func character(_ row: Int, _ column: Int) -> Character { cells[row][column] }

    /// Changes the size like a resized window. The contents are lost, so that only a full repaint passes.
    mutating func resize(_ new: Size) {
        size = new
        cells = Self.blank(new)
        scrolling = 0...max(0, new.rows - 1)
        row = min(row, new.rows - 1)
        column = min(column, new.columns - 1)
        isWrapPending = false
    }

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { feed(byte) }
    }

    private mutating func feed(_ byte: UInt8) {
        if partial.isEmpty, byte < 0x20 || byte == 0x7F, byte != 0x1B { return control(byte) }
        partial.append(byte)
        if partial[0] == 0x1B {
            escape(byte)
        } else if let text = String(validating: partial, as: UTF8.self) {
            partial = []
            text.unicodeScalars.forEach { put($0) }
        } else if partial.count > 4 {
            unknown.append("\(partial)")
            partial = []
        }
    }

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x07: break
        case 0x08: move(row, column - 1)
        case 0x09: move(row, column / 8 * 8 + 8)
        case 0x0A: lineFeed()
        case 0x0D: move(row, 0)
        default: unknown.append("control \(byte)")
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let character = Character(scalar)
        let isMark = scalar.properties.generalCategory == .nonspacingMark
        if isMark {
            let place = max(0, column - (isWrapPending ? 0 : 1))
            let base = cells[row][place] == "\0" ? place - 1 : place
            cells[row][base] = Character(String(cells[row][base]) + String(scalar))
            return
        }
        if scalar.value < 0xA0, scalar.value >= 0x80 { unknown.append("C1 \(scalar.value)") }
        put(character, width: DisplayText.width(String(character)) == 2 ? 2 : 1)
    }

    private mutating func put(_ character: Character, width: Int) {
        if isWrapPending || column + width > size.columns {
            lineFeed()
            column = 0
            isWrapPending = false
        }
        guard column + width <= size.columns else { return }
        if cells[row][column] == "\0", column > 0 { cells[row][column - 1] = " " }
        let after = column + width
        if after < size.columns, cells[row][after] == "\0" { cells[row][after] = " " }
        cells[row][column] = character
        if width == 2 { cells[row][column + 1] = "\0" }
        last = character
        isWrapPending = column + width >= size.columns
        column = min(column + width, size.columns - 1)
    }

    private mutating func lineFeed() {
        if row == scrolling.upperBound { scroll(scrolling, by: 1) } else { row = min(row + 1, size.rows - 1) }
    }

    private mutating func move(_ newRow: Int, _ newColumn: Int) {
        row = min(max(0, newRow), size.rows - 1)
        column = min(max(0, newColumn), size.columns - 1)
        isWrapPending = false
    }

    private mutating func scroll(_ rows: ClosedRange<Int>, by count: Int) {
        let blank = Array(repeating: Character(" "), count: size.columns)
        for _ in 0..<min(abs(count), rows.count) {
            if count > 0 {
                cells.remove(at: rows.lowerBound)
                cells.insert(blank, at: rows.upperBound)
            } else {
                cells.remove(at: rows.upperBound)
                cells.insert(blank, at: rows.lowerBound)
            }
        }
    }

    private mutating func escape(_ byte: UInt8) {
        guard partial.count > 1 else { return }
        switch partial[1] {
        case UInt8(ascii: "["):
            guard partial.count > 2, (0x40...0x7E).contains(byte) else { return }
            controlSequence(String(decoding: partial[2..<partial.count - 1], as: UTF8.self), Character(.init(byte)))
        case UInt8(ascii: "]"):
            guard byte == 0x07 || partial.suffix(2) == [0x1B, 0x5C] else { return }
            let text = String(decoding: partial, as: UTF8.self)
            if text.hasPrefix("\u{1B}]52;") {
                clipboard = String(text.dropFirst("\u{1B}]52;".count))
            } else if text == "\u{1B}]11;?\u{7}" {
                queries.append("background")
            } else if text != "\u{1B}]104\u{7}" {
                // Ignores the palette reset, which ncurses sends at the end.
                title = text
            }
        case UInt8(ascii: "("), UInt8(ascii: ")"):
            guard partial.count == 3 else { return }
        case UInt8(ascii: "M"):
            if row == scrolling.lowerBound { scroll(scrolling, by: -1) } else { move(row - 1, column) }
        case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "7"), UInt8(ascii: "8"):
            break
        default:
            unknown.append("escape \(partial)")
        }
        partial = []
    }

    private mutating func controlSequence(_ parameters: String, _ final: Character) {
        let numbers = parameters.drop { $0 == "?" || $0 == ">" }.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0.prefix { $0.isNumber }) ?? 0 }
        let first = numbers.first ?? 0
        let count = max(1, first)
        let start = row * size.columns
        switch final {
        case "H", "f": move(count - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
        case "A": move(row - count, column)
        case "B": move(row + count, column)
        case "C": move(row, column + count)
        case "D": move(row, column - count)
        case "G": move(row, count - 1)
        case "d": move(count - 1, column)
        case "J": erase(first == 0 ? start + column : 0, first == 1 ? start + column : .max)
        case "K": erase(start + (first == 0 ? column : 0), start + (first == 1 ? column : size.columns - 1))
        case "X": erase(start + column, start + min(size.columns, column + count) - 1)
        case "b": for _ in 0..<count { put(last, width: DisplayText.width(String(last)) == 2 ? 2 : 1) }
        case "P": setRest(of: row, cells[row].dropFirst(column + count) + Array(repeating: " ", count: count))
        case "@": setRest(of: row, Array(repeating: " ", count: count) + cells[row].dropFirst(column))
        case "L": scroll(row...max(row, scrolling.upperBound), by: -count)
        case "M": scroll(row...max(row, scrolling.upperBound), by: count)
        case "S": scroll(scrolling, by: count)
        case "T": scroll(scrolling, by: -count)
        case "r":
            let bottom = min(size.rows, numbers.count > 1 ? numbers[1] : size.rows)
            scrolling = min(count, bottom) - 1...bottom - 1
            move(0, 0)
        case "h", "l": setModes(numbers, isPrivate: parameters.hasPrefix("?"), to: final == "h")
        case "m", "t": break
        case "c": queries.append("attributes")
        case "p" where parameters.hasSuffix("$"): queries.append("mode \(numbers.first ?? 0)")
        case "Z": move(row, (column - 1) / 8 * 8)
        default: unknown.append("CSI \(parameters)\(final)")
        }
    }

    /// Replaces the cells from the cursor on.
    private mutating func setRest(of row: Int, _ rest: some Sequence<Character>) {
        cells[row] = Array((cells[row][..<column] + rest).prefix(size.columns))
    }

    private mutating func erase(_ first: Int, _ last: Int) {
        let last = min(last, size.columns * size.rows - 1)
        for index in first..<max(first, last + 1) {
            cells[index / size.columns][index % size.columns] = " "
        }
    }

    private mutating func setModes(_ numbers: [Int], isPrivate: Bool, to isOn: Bool) {
        guard isPrivate else { return }
        for mode in numbers {
            switch mode {
            case 1049:
                isAlternate = isOn
                cells = Self.blank(size)
            case 25: isCursorShown = isOn
            case 12: break
            default:
                if isOn, mode == 2026 { synchronizedFrames += 1 }
                if isOn { modes.insert(mode) } else { modes.remove(mode) }
            }
        }
    }
}
