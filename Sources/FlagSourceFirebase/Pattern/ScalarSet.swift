/// A set of scalars ready to be asked.
struct ScalarSet {
    private let isNegated: Bool
    private let isASCII: Bool
    private let ranges: [ClosedRange<UInt32>]
    private let kinds: [(kind: ScalarKind, isNegated: Bool)]
    /// The small letters of what the set names; `nil` where case counts, or nothing in it has one.
    private let folded: Set<UInt32>?

    init(_ set: PatternSet, _ flags: PatternFlags) {
        isNegated = set.isNegated
        let isASCII = flags.contains(.ascii)
        self.isASCII = isASCII
        let ranges = set.parts.compactMap { part -> ClosedRange<UInt32>? in
            if case .range(let low, let high) = part { low...high } else { nil }
        }
        self.ranges = ranges
        kinds = set.parts.compactMap { part in
            if case .kind(let kind, let isNegated) = part { (kind, isNegated) } else { nil }
        }
        let ignoresCase =
            flags.contains(.ignoreCase)
            && ranges.contains { $0.upperBound > 0xFFFF || $0.contains { CaseFolding.isCased($0, isASCII: isASCII) } }
        folded = ignoresCase ? Self.folded(ranges, isASCII) : nil
    }

    func contains(_ value: UInt32) -> Bool {
        guard let folded else { return holds(value) != isNegated }
        let lower = CaseFolding.lower(value, isASCII: isASCII)
        let isIn = folded.contains(lower) || ranges.contains { $0.upperBound > 0xFFFF && $0.contains(lower) }
        return (isIn || isOfKind(lower)) != isNegated
    }

    private func holds(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } || isOfKind(value) }

    private func isOfKind(_ value: UInt32) -> Bool {
        kinds.contains { $0.kind.contains(value, isASCII: isASCII) != $0.isNegated }
    }

    /// Python, too, folds what is below U+10000 and compares the rest as it is written (`_optimize_charset`).
    private static func folded(_ ranges: [ClosedRange<UInt32>], _ isASCII: Bool) -> Set<UInt32> {
        var result: Set<UInt32> = []
        for range in ranges where range.lowerBound <= 0xFFFF {
            for value in range.lowerBound...min(range.upperBound, 0xFFFF) {
                let lower = CaseFolding.lower(value, isASCII: isASCII)
                result.insert(lower)
                result.formUnion(CaseFolding.siblings(of: lower, isASCII: isASCII))
            }
        }
        return result
    }
}
