/// Versions as firebase-admin compares them (`_compare_versions` of firebase_admin/remote_config.py 7.5.0).
enum VersionOrder {
    /// -1, 0 or 1 for a left version below, equal to or above the right one; `nil` where one of them is none.
    ///
    /// Numbers between points, as many as there are; missing ones are 0. A negative one makes the comparison fail, but
    /// only when an earlier difference has not decided it.
    static func compare(_ left: String, _ right: String) -> Int? {
        guard let left = parts(left), let right = parts(right) else { return nil }
        for place in 0..<max(left.count, right.count) {
            let first = place < left.count ? left[place] : .zero
            let second = place < right.count ? right[place] : .zero
            if first.isNegative || second.isNegative { return nil }
            if first != second { return first < second ? -1 : 1 }
        }
        return 0
    }

    private static func parts(_ text: String) -> [PythonInteger]? {
        let texts = text.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
        let parts = texts.compactMap { PythonInteger(String(String.UnicodeScalarView($0))) }
        return parts.count == texts.count ? parts : nil
    }
}
