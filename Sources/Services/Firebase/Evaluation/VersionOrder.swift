import FlagModel

/// Versions, compared number by number.
enum VersionOrder {
    /// -1, 0 or 1 if the left version is below, equal to or above the right one; `nil` if either text is not a version.
    ///
    /// A version consists of numbers separated by points. If one version has fewer numbers, the missing ones are 0.
    static func compare(_ left: String, _ right: String) -> Int? {
        guard let left = numbers(left), let right = numbers(right) else { return nil }
        for index in 0..<max(left.count, right.count) {
            let first = index < left.count ? left[index] : 0
            let second = index < right.count ? right[index] : 0
            if first != second { return first < second ? -1 : 1 }
        }
        return 0
    }

    private static func numbers(_ text: String) -> [UInt]? {
        let components = text.trimmed.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = components.compactMap { UInt($0) }
        return numbers.count == components.count ? numbers : nil
    }
}
