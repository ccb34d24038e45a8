import FlagModel

/// Versions, compared number by number.
enum VersionOrder {
    /// -1, 0 or 1 for a left version below, equal to or above the right one; `nil` if either is not a version.
    ///
    /// A version is any count of numbers separated by points; missing ones are 0.
    static func compare(_ left: String, _ right: String) -> Int? {
        guard let left = numbers(left), let right = numbers(right) else { return nil }
        for place in 0..<max(left.count, right.count) {
            let first = place < left.count ? left[place] : 0
            let second = place < right.count ? right[place] : 0
            if first != second { return first < second ? -1 : 1 }
        }
        return 0
    }

    private static func numbers(_ text: String) -> [UInt]? {
        let parts = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt($0) }
        return numbers.count == parts.count ? numbers : nil
    }
}
