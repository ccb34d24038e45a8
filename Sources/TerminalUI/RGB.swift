/// A colour by its parts, for content that is about a colour, such as a button whose colour is a setting. All else uses
/// the terminal's own colours, so that the user's theme decides.
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

    /// The colour in words: `#32CD32`.
    public var text: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }

    /// Whether dark letters are easier to read on it than light ones, by the weights of ITU-R BT.601 for brightness.
    public var isLight: Bool { Int(red) * 299 + Int(green) * 587 + Int(blue) * 114 > 128_000 }

    /// The nearest of the terminal's own colours, as in xterm; for greys, black or white.
    public var nearestColor: Color {
        let spread = max(red, green, blue) - min(red, green, blue)
        let candidates = Self.own.filter { spread >= 48 || [.black, .white].contains($0.color) }
        return candidates.min { distance(to: $0.rgb) < distance(to: $1.rgb) }?.color ?? .standard
    }

    /// The nearest of xterm's 256 colours that no theme changes: 16 to 231 are a cube of six steps per side, 232 to 255
    /// are greys.
    public var paletteIndex: Int {
        let cube = [red, green, blue].map(Self.nearestStep)
        let inCube = RGB(red: Self.steps[cube[0]], green: Self.steps[cube[1]], blue: Self.steps[cube[2]])
        let brightness = (Int(red) + Int(green) + Int(blue)) / 3
        let grey = min(23, max(0, (brightness - 3) / 10))
        let level = UInt8(8 + 10 * grey)
        let isGreyNearer = distance(to: RGB(red: level, green: level, blue: level)) < distance(to: inCube)
        return isGreyNearer ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }

    private static let steps: [UInt8] = [0, 95, 135, 175, 215, 255]

    private static func nearestStep(_ part: UInt8) -> Int {
        steps.indices.min { abs(Int(steps[$0]) - Int(part)) < abs(Int(steps[$1]) - Int(part)) } ?? 0
    }

    private func distance(to other: RGB) -> Int {
        func square(_ one: UInt8, _ two: UInt8) -> Int { (Int(one) - Int(two)) * (Int(one) - Int(two)) }
        return square(red, other.red) + square(green, other.green) + square(blue, other.blue)
    }

    // xterm's colours 0 to 7 (its XTerm-col.ad).
    private static let own: [(color: Color, rgb: RGB)] = [
        (.black, RGB(red: 0, green: 0, blue: 0)), (.red, RGB(red: 205, green: 0, blue: 0)),
        (.green, RGB(red: 0, green: 205, blue: 0)), (.yellow, RGB(red: 205, green: 205, blue: 0)),
        (.blue, RGB(red: 0, green: 0, blue: 238)), (.magenta, RGB(red: 205, green: 0, blue: 205)),
        (.cyan, RGB(red: 0, green: 205, blue: 205)), (.white, RGB(red: 229, green: 229, blue: 229)),
    ]
}

/// A part of a frame that is filled with a colour, as nearly as the terminal can show it.
public struct Tint: Sendable, Hashable {
    /// The region.
    public let region: Region
    /// The colour.
    public let color: RGB

    /// Whether a cell is shown in the tint: not if something is drawn over it later.
    public func covers(_ cell: Cell, at position: Position) -> Bool {
        region.contains(position) && cell.style.background == color.nearestColor
    }
}

extension Frame {
    /// Fills the background of a region with a colour, and makes its letters black or white, whichever is easier to read.
    ///
    /// The cells get the nearest of the terminal's own colours; terminals with more colours show a nearer one.
    public mutating func tint(_ region: Region, _ color: RGB) {
        restyle(region) { style in
            style.foreground = color.isLight ? .black : .white
            style.background = color.nearestColor
        }
        add(Tint(region: region, color: color))
    }
}
