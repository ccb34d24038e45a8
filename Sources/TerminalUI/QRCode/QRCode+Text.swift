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

    /// ``textLines`` in black on white, so that a code has these colours on terminals with any colours.
    public var coloredLines: [String] {
        textLines.map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m" }
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
