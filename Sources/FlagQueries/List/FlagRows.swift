public import FlagModel

/// Builds the rows of the list from a board and a query.
public struct FlagRows {
    /// One line of the list.
    public enum Row: Sendable, Hashable {
        /// The heading of the flags below.
        case header(Heading)
        /// A flag.
        case flag(FlagBoard.Place)
        /// An empty line before a header.
        case gap
    }

    /// The heading of a group of flags: the property that the flags have in common.
    public enum Heading: Sendable, Hashable {
        /// Pinned flags.
        case pinned
        /// Overridden flags, listed before all others.
        case overridden
        /// Flags of a category, by its index in the catalog.
        case category(Int)
        /// Overrides whose flags are not in the catalog.
        case unlisted
        /// Flags sorted by name.
        case byName
        /// Flags whose keys have this prefix, such as `checkout_`; empty for flags that share their prefix with no
        /// other flag.
        case prefix(String)
    }

    let board: FlagBoard
    let query: FlagQuery
    let isOverriddenOnly: Bool
    let order: ListOrder
    let pins: [String]
    let sticky: StickyFlags
    private let index: SearchIndex
    package let search: FlagSearch
    private let stickyNumbers: [Int: StickyFlags.Place]

    package init(
        board: FlagBoard, index: SearchIndex, query: FlagQuery, isOverriddenOnly: Bool, order: ListOrder,
        pins: [String], sticky: StickyFlags
    ) {
        self.board = board
        self.index = index
        self.query = query
        self.isOverriddenOnly = isOverriddenOnly
        self.order = order
        self.pins = pins
        self.sticky = sticky
        search = FlagSearch(query, board: board, index: index, pins: pins)
        stickyNumbers = sticky.numbers(on: board)
    }

    /// The rows: flags under their headings or, if words are searched, without headings and the best match first.
    ///
    /// - Parameter hasGaps: whether an empty line precedes each heading but the first.
    package func rows(hasGaps: Bool) -> [Row] {
        query.isRanked ? ranked() : grouped(hasGaps: hasGaps)
    }

    // MARK: under headings

    /// Lists every flag once: first pinned flags, then all others in the list's order.
    private func grouped(hasGaps: Bool) -> [Row] {
        var sections = Sections(board: board, hasGaps: hasGaps)
        let pinned = pins.lazy.compactMap { board.place(of: FlagText($0)).map(board.number) }
        let listed = listed
        sections.append(pinned.filter(listed.contains), under: .pinned)
        if order == .changedFirst { sections.append(overridden.filter(listed.contains), under: .overridden) }
        switch order {
        case .name: sections.append(byName.filter(listed.contains), under: .byName)
        case .prefix: appendPrefixes(to: &sections, listed)
        case .catalog, .changedFirst: appendCategories(to: &sections, listed)
        }
        return sections.rows
    }

    private func appendCategories(to sections: inout Sections, _ listed: Listed) {
        for (position, category) in board.catalog.categories.enumerated() {
            append(category.items, under: .category(position), to: &sections, listed)
        }
        append(board.unlistedNumbers, under: .unlisted, to: &sections, listed)
    }

    /// Appends groups in the order of their prefixes, each in catalog order; the last group has the flags that share
    /// their prefix with no other flag.
    private func appendPrefixes(to sections: inout Sections, _ listed: Listed) {
        var groups: [String: [Int]] = [:]
        for number in 0..<board.placeCount {
            groups[board.key(at: board.place(number)).prefixOfKey, default: []].append(number)
        }
        var ungrouped: [Int] = groups.removeValue(forKey: "") ?? []
        for (prefix, numbers) in groups where numbers.count == 1 {
            ungrouped += numbers
            groups[prefix] = nil
        }
        for (prefix, numbers) in groups.sorted(by: { $0.key < $1.key }) {
            sections.append(numbers.filter(listed.contains), under: .prefix(prefix))
        }
        sections.append(ungrouped.sorted().filter(listed.contains), under: .prefix(""))
    }

    /// Appends the listed flags whose numbers are in a range.
    private func append(
        _ range: Range<Int>, under heading: Heading, to sections: inout Sections, _ listed: Listed
    ) {
        switch listed {
        case .all: sections.append(range, under: heading)
        case .only(let numbers):
            let listedNumbers = numbers[numbers.start(of: range.lowerBound)..<numbers.start(of: range.upperBound)]
            sections.append(listedNumbers.lazy.map(Int.init), under: heading)
        }
    }

    /// The numbers of the listed flags: all, or some in ascending order.
    private enum Listed {
        case all
        case only([Int32])

        func contains(_ number: Int) -> Bool {
            switch self {
            case .all: return true
            case .only(let numbers):
                let position = numbers.start(of: number)
                return position < numbers.count && numbers[position] == number
            }
        }
    }

    private var listed: Listed {
        if query.isEmpty, !isOverriddenOnly { return .all }
        let numbers = search.matches(among: candidates).numbers
        guard !stickyNumbers.isEmpty else { return .only(numbers) }
        return .only(Set(numbers).union(stickyNumbers.keys.map { Int32(truncatingIfNeeded: $0) }).sorted())
    }

    /// The numbers of all flags, or only of overridden flags.
    private var candidates: [Int] {
        isOverriddenOnly ? board.overriddenNumbers : Array(0..<board.placeCount)
    }

    /// The numbers of the flags under "Overridden". A sticky row stays under this heading, or outside of it, even if
    /// its override has changed.
    private var overridden: [Int] {
        let numbers = board.overriddenNumbers
        guard !stickyNumbers.isEmpty else { return numbers }
        let stickyOverridden = stickyNumbers.filter { $0.value.isUnderOverridden }.map(\.key)
        let all = Set(numbers.filter { stickyNumbers[$0]?.isUnderOverridden ?? true }).union(stickyOverridden)
        return all.sorted()
    }

    /// The numbers of all flags, sorted by name: the sorted flags of the index, merged with the few unlisted flags.
    private var byName: [Int] {
        let items = index.byName.map(Int.init)
        guard !board.unlistedKeys.isEmpty else { return items }
        func name(_ number: Int) -> String {
            switch board.place(number) {
            case .item(let item): board.catalog.items[item].name.string.lowercased()
            case .unlisted(let index): board.unlistedKeys[index].lowercased()
            }
        }
        var merged: [Int] = []
        merged.reserveCapacity(board.placeCount)
        var remaining = items[...]
        for unlisted in board.unlistedNumbers.sorted(by: { name($0) < name($1) }) {
            let unlistedName = name(unlisted)
            let end = remaining.partitioningIndex { name($0) > unlistedName }
            merged += remaining[..<end]
            merged.append(unlisted)
            remaining = remaining[end...]
        }
        return merged + remaining
    }

    // MARK: the best match first

    /// The rows of matching flags, the best match first. Sticky rows have the rank of their stored score.
    private func ranked() -> [Row] {
        let matches = search.matches(
            among: stickyNumbers.isEmpty ? candidates : candidates.filter { stickyNumbers[$0] == nil })
        var ranks: [UInt64] = []
        ranks.reserveCapacity(matches.numbers.count + stickyNumbers.count)
        for (number, score) in zip(matches.numbers, matches.scores) {
            ranks.append(Rank.of(Int(score), length: index.nameLength(Int(number), on: board), number: Int(number)))
        }
        for (number, place) in stickyNumbers {
            ranks.append(Rank.of(place.score, length: index.nameLength(number, on: board), number: number))
        }
        ranks.sort(by: >)
        return ranks.map { .flag(board.place(Rank.number($0))) }
    }

    /// The heading of overrides whose flags are neither in the catalog nor in a source.
    package static let unlistedHeading: FlagText = "Not listed"
}

/// The rank of a match as one number; larger is better. The rank compares scores, then the length of names (shorter is
/// better), then the catalog order. The flag's number is part of the rank.
private enum Rank {
    @inline(__always)
    static func of(_ score: Int, length: Int, number: Int) -> UInt64 {
        let shortness = UInt64(0xFFF - min(length, 0xFFF))
        let earliness = UInt64(0xFFFF_FFFF - UInt32(truncatingIfNeeded: number))
        return UInt64(min(max(score, 0), 0xF_FFFF)) << 44 | shortness << 32 | earliness
    }

    /// The number of the flag with a rank.
    static func number(_ rank: UInt64) -> Int { Int(0xFFFF_FFFF - rank & 0xFFFF_FFFF) }
}

/// Rows under their headings. A flag that was added under "Pinned" or "Overridden" is not added again.
private struct Sections {
    private(set) var rows: [FlagRows.Row] = []
    private let board: FlagBoard
    private let hasGaps: Bool
    /// Whether each flag has been added, by the flag's number; empty until the first flag is marked as added.
    private var isAdded: [Bool] = []

    init(board: FlagBoard, hasGaps: Bool) {
        self.board = board
        self.hasGaps = hasGaps
        rows.reserveCapacity(board.placeCount + 2 * board.catalog.categories.count)
    }

    mutating func append(_ numbers: some Sequence<Int>, under heading: FlagRows.Heading) {
        let start = rows.count
        for number in numbers where isAdded.isEmpty || !isAdded[number] {
            if rows.count == start {
                if hasGaps, start > 0 { rows.append(.gap) }
                rows.append(.header(heading))
            }
            rows.append(.flag(board.place(number)))
            if heading.isReference { markAsAdded(number) }
        }
    }

    private mutating func markAsAdded(_ number: Int) {
        if isAdded.isEmpty { isAdded = Array(repeating: false, count: board.placeCount) }
        isAdded[number] = true
    }
}

extension FlagRows.Row {
    package var isFlag: Bool { if case .flag = self { true } else { false } }
    package var isHeader: Bool { if case .header = self { true } else { false } }
}

extension FlagRows.Heading {
    /// Whether the flags of the heading also belong to another heading.
    fileprivate var isReference: Bool {
        switch self {
        case .pinned, .overridden: true
        case .category, .unlisted, .byName, .prefix: false
        }
    }
}

extension FlagText {
    /// The key up to and including its first separator, such as `checkout_` or `ads.`; empty without a separator.
    fileprivate var prefixOfKey: String {
        withUTF8 { bytes in
            guard let end = bytes.firstIndex(where: { "_.-/:".utf8.contains($0) }), end > 0 else { return "" }
            return String(decoding: bytes[...end], as: UTF8.self)
        }
    }
}

extension [Int32] {
    /// The index of the first element of this sorted array that is not below a number.
    fileprivate func start(of number: Int) -> Int { partitioningIndex { $0 >= number } }
}
