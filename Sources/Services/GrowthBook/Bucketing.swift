/// The hash that assigns users to percentages, and the ranges of variations (`packages/sdk-js/src/util.ts`).
enum Bucketing {
    /// A number in `0..<1` for a user; `nil` for an unknown version of the hash.
    static func hash(seed: String, value: String, version: Int) -> Double? {
        switch version {
        case 1: Double(fnv1a32(value + seed) % 1_000) / 1_000
        case 2: Double(fnv1a32(String(fnv1a32(seed + value))) % 10_000) / 10_000
        default: nil
        }
    }

    /// The 32-bit FNV-1a hash of UTF-16 code units.
    private static func fnv1a32(_ text: String) -> UInt32 {
        text.utf16.reduce(0x811C_9DC5) { hash, unit in (hash ^ UInt32(unit)) &* 0x0100_0193 }
    }

    /// Whether a number is in a range. The end is not part of the range.
    static func contains(_ range: (start: Double, end: Double), _ number: Double) -> Bool {
        range.start <= number && number < range.end
    }

    /// The ranges of variations. All weights are equal if there is not one weight for each variation, or if the sum of
    /// the weights is not about 1.
    static func ranges(_ count: Int, coverage: Double, weights: [Double]?) -> [(start: Double, end: Double)] {
        let coverage = min(max(coverage, 0), 1)
        let equal = [Double](repeating: 1 / Double(count), count: count)
        let sum = weights?.reduce(0, +) ?? 0
        let isValid = weights?.count == count && 0.99 <= sum && sum <= 1.01
        var ranges: [(start: Double, end: Double)] = []
        var start = 0.0
        for weight in isValid ? weights ?? equal : equal {
            ranges.append((start, start + coverage * weight))
            start += weight
        }
        return ranges
    }
}
