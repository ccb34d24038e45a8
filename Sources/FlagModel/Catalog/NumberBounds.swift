/// The minimum and the maximum of a flag's number, spelled as in the catalog.
public struct NumberBounds: Sendable, Hashable {
    /// The minimum; `nil` for no limit.
    public let minimum: FlagText?
    /// The maximum; `nil` for no limit.
    public let maximum: FlagText?

    /// Creates bounds. Returns `nil` if both numbers are `nil`, or if the minimum is above the maximum.
    public init?(minimum: FlagText?, maximum: FlagText?) {
        guard minimum != nil || maximum != nil else { return nil }
        if let minimum, let maximum, Self.isBelow(maximum.string, minimum.string) { return nil }
        (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// The bounds in words, such as `5 to 50` or `at least 5`.
    public var summary: String {
        switch (minimum?.string, maximum?.string) {
        case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
        case (let minimum?, nil): "at least \(minimum)"
        case (nil, let maximum?): "at most \(maximum)"
        case (nil, nil): ""
        }
    }

    /// Why a number is out of bounds, as a sentence; `nil` if it is within the bounds.
    ///
    /// - Parameter text: a JSON number.
    public func invalidReason(to text: String) -> String? {
        if let minimum, Self.isBelow(text, minimum.string) { return "Too small: it must be \(summary)." }
        if let maximum, Self.isBelow(maximum.string, text) { return "Too large: it must be \(summary)." }
        return nil
    }

    /// Whether `left` is less than `right`. Whole numbers are compared as integers: above 2^53 a double is inexact.
    private static func isBelow(_ left: String, _ right: String) -> Bool {
        if let left = FlagReading.int(left), let right = FlagReading.int(right) { return left < right }
        guard let left = FlagReading.double(left), let right = FlagReading.double(right) else { return false }
        return left < right
    }
}
