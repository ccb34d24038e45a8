/// A colour by its components, for content that shows a specific colour, such as a button with a configurable colour.
/// All other content uses the terminal's own colours, which depend on the user's theme.
public struct RGB: Sendable, Hashable {
    /// Red, from 0 to 255.
    public let red: UInt8
    /// Green, from 0 to 255.
    public let green: UInt8
    /// Blue, from 0 to 255.
    public let blue: UInt8

    /// A colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Whether dark text is easier to read than light text on this colour, by the brightness formula of ITU-R BT.601.
    public var isLight: Bool { Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 > 128_000 }

    /// The nearest of the terminal's own colours, assuming the colours of xterm; for greys, black or white.
    public var nearestColor: Color {
        let spread = max(red, green, blue) - min(red, green, blue)
        let candidates = Self.xtermColors.filter { spread >= 48 || [.black, .white].contains($0.color) }
        return candidates.min { distance(to: $0.rgb) < distance(to: $1.rgb) }?.color ?? .standard
    }

    /// The nearest of xterm's colours 16 to 255, which themes do not change. Colours 16 to 231 are a cube with six
    /// steps per side, and 232 to 255 are greys.
    public var paletteIndex: Int {
        let stepIndices = [red, green, blue].map(Self.nearestStep)
        let levels = stepIndices.map { Self.steps[$0] }
        let cubeColor = RGB(red: levels[0], green: levels[1], blue: levels[2])
        let brightness = (Int(red) + Int(green) + Int(blue)) / 3
        let greyIndex = min(23, max(0, (brightness - 3) / 10))
        let greyLevel = UInt8(8 + 10 * greyIndex)
        let greyColor = RGB(red: greyLevel, green: greyLevel, blue: greyLevel)
        if distance(to: greyColor) < distance(to: cubeColor) { return 232 + greyIndex }
        return 16 + 36 * stepIndices[0] + 6 * stepIndices[1] + stepIndices[2]
    }

    /// The six values of a component in the colour cube.
    private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// The index of the step in `steps` that is nearest to a component.
    private static func nearestStep(_ component: UInt8) -> Int {
        steps.indices.min { abs(Int(steps[$0]) - Int(component)) < abs(Int(steps[$1]) - Int(component)) } ?? 0
    }

    private func distance(to other: RGB) -> Int {
        func square(_ one: UInt8, _ two: UInt8) -> Int { (Int(one) - Int(two)) * (Int(one) - Int(two)) }
        return square(red, other.red) + square(green, other.green) + square(blue, other.blue)
    }

    /// Colours 0 to 7 of xterm, from its file XTerm-col.ad.
    private static let xtermColors: [(color: Color, rgb: RGB)] = [
        (.black, RGB(red: 0, green: 0, blue: 0)), (.red, RGB(red: 205, green: 0, blue: 0)),
        (.green, RGB(red: 0, green: 205, blue: 0)), (.yellow, RGB(red: 205, green: 205, blue: 0)),
        (.blue, RGB(red: 0, green: 0, blue: 238)), (.magenta, RGB(red: 205, green: 0, blue: 205)),
        (.cyan, RGB(red: 0, green: 205, blue: 205)), (.white, RGB(red: 229, green: 229, blue: 229)),
    ]
}

/// A region of a frame that is filled with a colour. If the terminal cannot show the colour, the nearest colour is
/// used.
public struct Tint: Sendable, Hashable {
    /// The filled region.
    public let region: Region
    /// The colour.
    public let color: RGB

    /// Whether a cell in the region still has the tint; `false` after something else was drawn on the cell.
    public func covers(_ cell: Cell, at position: Position) -> Bool {
        region.contains(position) && cell.style.background == color.nearestColor
    }
}

extension Frame {
    /// Fills the background of a region with a colour, and makes the text black or white, whichever is easier to read.
    ///
    /// The cells get the nearest of the terminal's own colours. Terminals with more colours show a more exact colour.
    public mutating func tint(_ region: Region, _ color: RGB) {
        restyle(region) { style in
            style.foreground = color.isLight ? .black : .white
            style.background = color.nearestColor
        }
        tints.append(Tint(region: region, color: color))
    }
}
