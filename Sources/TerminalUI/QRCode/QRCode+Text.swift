extension QRCode {
    /// How many light modules are around the code. The standard has four, but a terminal has few rows, and scanners need
    /// only two.
    private static let margin = 2

    /// The code as lines of text, two rows of modules in each. Dark modules are drawn, so the text must be darker than its
    /// background.
    public var textLines: [String] {
        let places = -Self.margin..<size + Self.margin
        return stride(from: places.lowerBound, to: places.upperBound, by: 2).map { row in
            String(places.map { Self.character(upper: self[row, $0], lower: self[row + 1, $0]) })
        }
    }

    /// The code in black on white, on terminals with any colours.
    ///
    /// The upper module of a cell is its background, because the blocks of some fonts leave gaps at the edges of a cell,
    /// which scanners take for light modules.
    public var coloredLines: [String] {
        textLines.map { line in
            var text = "\u{1B}[38;5;16;48;5;231m"
            var isReversed = false
            for character in line {
                let hasUpper = character == "█" || character == "▀"
                if hasUpper != isReversed { text += hasUpper ? "\u{1B}[7m" : "\u{1B}[27m" }
                isReversed = hasUpper
                // In a reversed cell, the glyph is light.
                text += (character == "▀" || character == "▄") ? "▄" : " "
            }
            return text + "\u{1B}[0m"
        }
    }

    private static func character(upper: Bool, lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
