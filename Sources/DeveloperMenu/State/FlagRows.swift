import FlagModel

/// Makes the rows of the list from a board and a query.
struct FlagRows {
    let board: FlagBoard
    let query: FlagQuery
    let isOverriddenOnly: Bool
    let order: ListOrder
    let pins: [String]
    let kept: KeptFlags
    private let index: SearchIndex
    let search: FlagSearch
    private let keptNumbers: [Int: KeptFlags.Place]

    init(
        board: FlagBoard, index: SearchIndex, query: FlagQuery, isOverriddenOnly: Bool, order: ListOrder,
        pins: [String], kept: KeptFlags
    ) {
        self.board = board
        self.index = index
        self.query = query
        self.isOverriddenOnly = isOverriddenOnly
        self.order = order
        self.pins = pins
        self.kept = kept
        search = FlagSearch(query, board: board, index: index, pins: pins)
        keptNumbers = kept.numbers(on: board)
    }

    /// Flags under their headings; or, if words are searched, the best match first and without headers.
    func rows(hasGaps: Bool) -> [FlagList.Row] {
        query.isRanked ? ranked() : grouped(hasGaps: hasGaps)
    }

    // MARK: under headings

    /// Every flag once: pinned ones on top, then by the order.
    private func grouped(hasGaps: Bool) -> [FlagList.Row] {
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

    /// Groups in the order of their prefixes, the flags of each in catalog order; at the end those with a prefix of
    /// their own.
    private func appendPrefixes(to sections: inout Sections, _ listed: Listed) {
        var groups: [String: [Int]] = [:]
        for number in 0..<board.placeCount {
            groups[board.key(at: board.place(number)).prefixOfKey, default: []].append(number)
        }
        var others: [Int] = groups.removeValue(forKey: "") ?? []
        for (prefix, numbers) in groups where numbers.count == 1 {
            others += numbers
            groups[prefix] = nil
        }
        for (prefix, numbers) in groups.sorted(by: { $0.key < $1.key }) {
            sections.append(numbers.filter(listed.contains), under: .prefix(prefix))
        }
        sections.append(others.sorted().filter(listed.contains), under: .prefix(""))
    }

    private func append(
        _ range: Range<Int>, under heading: FlagList.Heading, to sections: inout Sections, _ listed: Listed
    ) {
        switch listed {
        case .all: sections.append(range, under: heading)
        case .some(let numbers):
            let part = numbers[numbers.start(of: range.lowerBound)..<numbers.start(of: range.upperBound)]
            sections.append(part.lazy.map(Int.init), under: heading)
        }
    }

    /// The listed flags, in the order of their numbers.
    private enum Listed {
        case all
        case some([Int32])

        func contains(_ number: Int) -> Bool {
            switch self {
            case .all: return true
            case .some(let numbers):
                let position = numbers.start(of: number)
                return position < numbers.count && numbers[position] == number
            }
        }
    }

    private var listed: Listed {
        if query.isEmpty, !isOverriddenOnly { return .all }
        let numbers = search.matches(among: candidates).numbers
        guard !keptNumbers.isEmpty else { return .some(numbers) }
        return .some(Set(numbers).union(keptNumbers.keys.map { Int32(truncatingIfNeeded: $0) }).sorted())
    }

    /// The candidates: every flag, or only overridden ones.
    private var candidates: [Int] {
        isOverriddenOnly ? board.overriddenNumbers : Array(0..<board.placeCount)
    }

    /// The flags under "Overridden": sticky rows stay where they are until the filter or order changes.
    private var overridden: [Int] {
        let numbers = board.overriddenNumbers
        guard !keptNumbers.isEmpty else { return numbers }
        let others = keptNumbers.filter { $0.value.isUnderOverridden }.map(\.key)
        let all = Set(numbers.filter { keptNumbers[$0]?.isUnderOverridden ?? true }).union(others)
        return all.sorted()
    }

    /// Every flag by name; the index has the order of the catalog's, and the others are few.
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
        var rest = items[...]
        for unlisted in board.unlistedNumbers.sorted(by: { name($0) < name($1) }) {
            let (key, next) = (name(unlisted), rest)
            let end = next.partitioningIndex { name($0) > key }
            merged += next[..<end]
            merged.append(unlisted)
            rest = next[end...]
        }
        return merged + rest
    }

    // MARK: the best match first

    private func ranked() -> [FlagList.Row] {
        let matches = search.matches(
            among: keptNumbers.isEmpty ? candidates : candidates.filter { keptNumbers[$0] == nil })
        var ranks: [UInt64] = []
        ranks.reserveCapacity(matches.numbers.count + keptNumbers.count)
        for (number, score) in zip(matches.numbers, matches.scores) {
            ranks.append(Rank.of(Int(score), length: index.nameLength(Int(number), on: board), number: Int(number)))
        }
        for (number, place) in keptNumbers {
            ranks.append(Rank.of(place.score, length: index.nameLength(number, on: board), number: number))
        }
        ranks.sort(by: >)
        return ranks.map { .flag(board.place(Rank.number($0))) }
    }

    /// The heading of overrides that no catalog and no source has.
    static let unlistedHeading: FlagText = "Not listed"
}

/// The rank of a match in one number: the score, then the shorter name, then the catalog order.
private enum Rank {
    @inline(__always)
    static func of(_ score: Int, length: Int, number: Int) -> UInt64 {
        let shortness = UInt64(0xFFF - min(length, 0xFFF))
        let earliness = UInt64(0xFFFF_FFFF - UInt32(truncatingIfNeeded: number))
        return UInt64(min(max(score, 0), 0xF_FFFF)) << 44 | shortness << 32 | earliness
    }

    static func number(_ rank: UInt64) -> Int { Int(0xFFFF_FFFF - rank & 0xFFFF_FFFF) }
}

/// Rows under their headings, with each flag in the first section that lists it.
private struct Sections {
    private(set) var rows: [FlagList.Row] = []
    private let board: FlagBoard
    private let hasGaps: Bool
    private var isTaken: [Bool] = []

    init(board: FlagBoard, hasGaps: Bool) {
        self.board = board
        self.hasGaps = hasGaps
        rows.reserveCapacity(board.placeCount + 2 * board.catalog.categories.count)
    }

    mutating func append(_ numbers: some Sequence<Int>, under heading: FlagList.Heading) {
        let start = rows.count
        for number in numbers where isTaken.isEmpty || !isTaken[number] {
            if rows.count == start {
                if hasGaps, start > 0 { rows.append(.gap) }
                rows.append(.header(heading))
            }
            rows.append(.flag(board.place(number)))
            if heading.isBorrowing { take(number) }
        }
    }

    private mutating func take(_ number: Int) {
        if isTaken.isEmpty { isTaken = Array(repeating: false, count: board.placeCount) }
        isTaken[number] = true
    }
}

extension FlagList.Heading {
    /// `true` for headings whose flags belong to another one.
    fileprivate var isBorrowing: Bool {
        switch self {
        case .pinned, .overridden: true
        case .category, .unlisted, .byName, .prefix: false
        }
    }
}

extension FlagText {
    /// The key up to and including its first separator, such as `checkout_` or `ads.`; empty without one.
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
