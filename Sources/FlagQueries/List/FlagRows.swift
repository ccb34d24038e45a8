public import FlagModel

/// Builds the rows of the list from a board and a query.
public struct FlagRows {
    /// One line of the list.
    ///
    /// Most rows are flags. The contents of others are stored apart, so that a long list stays small.
    public enum Row: Sendable, Hashable {
        /// The heading of the rows below.
        indirect case header(Group)
        /// The heading of a folded group, whose rows are not listed.
        indirect case folded(Group)
        /// A flag.
        case flag(FlagBoard.Place)
        /// A condition or an attribute of the evaluation context that the tester changed.
        indirect case part(ContextPart)
        /// An empty line before a header.
        case gap
    }

    /// A group of rows below a heading.
    public struct Group: Sendable, Hashable {
        /// The heading.
        public let heading: Heading
        /// The number of rows, listed or folded.
        public private(set) var count = 0
        /// How many of them are overridden flags.
        public private(set) var changedCount = 0

        fileprivate mutating func add(isChanged: Bool) {
            count += 1
            if isChanged { changedCount += 1 }
        }
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
        /// Conditions set by hand, among the tester's changes.
        case conditions
        /// Attributes of the evaluation context that the tester set, among the tester's changes.
        case attributes
        /// Overrides, among the tester's changes.
        case overrides
        /// Flags with a value from the arguments or the environment, below the tester's changes.
        case launch
    }

    let board: FlagBoard
    let query: FlagQuery
    /// What the tester changed is listed alone, with these conditions and attributes; `nil` to list all flags.
    let changedParts: [ContextPart]?
    /// The names of folded groups.
    let folded: Set<String>
    let order: ListOrder
    let pins: [String]
    private let index: SearchIndex
    package let search: FlagSearch
    private let stickyNumbers: [Int: StickyFlags.Place]

    package init(
        board: FlagBoard, index: SearchIndex, query: FlagQuery, changedParts: [ContextPart]? = nil,
        folded: Set<String> = [], order: ListOrder = .catalog, pins: [String] = [],
        sticky: StickyFlags = StickyFlags()
    ) {
        self.board = board
        self.index = index
        self.query = query
        self.changedParts = changedParts
        self.folded = folded
        self.order = order
        self.pins = pins
        search = FlagSearch(query, board: board, index: index, pins: pins)
        stickyNumbers = sticky.numbers(on: board)
    }

    /// The rows: flags under their headings or, if words are searched, without headings and the best match first.
    ///
    /// - Parameter hasGaps: whether an empty line precedes each heading but the first.
    package func rows(hasGaps: Bool) -> [Row] {
        if query.isRanked { return parts(.condition) + parts(.attribute) + ranked() }
        return changedParts == nil ? grouped(hasGaps: hasGaps) : changes(hasGaps: hasGaps)
    }

    // MARK: what the tester changed

    private func changes(hasGaps: Bool) -> [Row] {
        var sections = Sections(board: board, hasGaps: hasGaps)
        sections.append(parts(.condition), under: .conditions)
        sections.append(parts(.attribute), under: .attributes)
        let listed = listed
        let numbers = order == .name ? byName : Array(board.places)
        sections.append(numbers.filter { listed[$0] }.map(Row.flag), under: .overrides)
        let launched = search.matches(among: launched).map(\.number)
        sections.append(launched.filter { !listed[$0] }.map(Row.flag), under: .launch)
        return sections.rows
    }

    /// The rows of the changed parts of a kind that contain the words of the query. No part has the properties that
    /// other conditions of a query are about.
    private func parts(_ kind: ContextPart.Kind) -> [Row] {
        guard let parts = changedParts, query.conditions.isEmpty else { return [] }
        return parts.filter { $0.kind == kind && query.containsWords(of: $0.name) }.map(Row.part)
    }

    // MARK: under headings

    /// Lists every flag once: first pinned flags, then all others in the list's order.
    private func grouped(hasGaps: Bool) -> [Row] {
        var sections = Sections(board: board, hasGaps: hasGaps, folded: folded, remaining: listed)
        sections.append(pins.compactMap { board.place(of: FlagText($0)).map(Row.flag) }, under: .pinned)
        if order == .changedFirst { sections.append(overridden.map(Row.flag), under: .overridden) }
        switch order {
        case .name: sections.append(byName.map(Row.flag), under: .byName)
        case .prefix:
            for (prefix, places) in board.groupsByPrefix {
                sections.append(places.map(Row.flag), under: .prefix(prefix))
            }
        case .catalog, .changedFirst:
            for (position, category) in board.catalog.categories.enumerated() {
                sections.append(category.items.map(Row.flag), under: .category(position))
            }
            sections.append(board.unlistedPlaces.map(Row.flag), under: .unlisted)
        }
        return sections.rows
    }

    /// Whether each flag is listed, by its number.
    private var listed: [Bool] {
        let isWhole = query.isEmpty && changedParts == nil
        var listed = Array(repeating: isWhole, count: board.places.count)
        guard !isWhole else { return listed }
        for flag in search.matches(among: candidates) { listed[flag.number] = true }
        for number in stickyNumbers.keys { listed[number] = true }
        return listed
    }

    /// The numbers of all flags, or only of overridden flags.
    private var candidates: [Int] { changedParts == nil ? Array(board.places) : board.overriddenPlaces }

    /// The numbers of all flags that have a launch value, in order.
    private var launched: [Int] { board.values[.launch].keys.compactMap(board.place(of:)).sorted() }

    /// The numbers of the flags under "Overridden". A sticky row stays under this heading, or outside of it, even if
    /// its override has changed.
    private var overridden: [Int] {
        let numbers = board.overriddenPlaces
        guard !stickyNumbers.isEmpty else { return numbers }
        let stickyOverridden = stickyNumbers.filter { $0.value.isUnderOverridden }.map(\.key)
        let all = Set(numbers.filter { stickyNumbers[$0]?.isUnderOverridden ?? true }).union(stickyOverridden)
        return all.sorted()
    }

    /// The numbers of all flags, sorted by name: the sorted flags of the index, and the few unlisted flags.
    private var byName: [Int] {
        board.unlistedPlaces.reduce(into: index.byName) { numbers, unlisted in
            let name = index.name(unlisted, on: board)
            let place = numbers.partitioningIndex { NaturalOrder.isBefore(name, index.name($0, on: board)) }
            numbers.insert(unlisted, at: place)
        }
    }

    // MARK: the best match first

    /// The rows of matching flags, the best match first. Sticky rows have the rank of their stored score.
    private func ranked() -> [Row] {
        // Among the tester's changes, launch values are listed, too.
        let launched = changedParts == nil ? [] : launched.filter { !board.isOverridden($0) }
        var numbers = candidates + launched
        if !stickyNumbers.isEmpty { numbers.removeAll { stickyNumbers[$0] != nil } }
        let sticky = stickyNumbers.map { (number: $0.key, score: $0.value.score) }
        let ranks = (search.matches(among: numbers) + sticky).map { flag in
            (score: flag.score, length: index.name(flag.number, on: board).count, number: flag.number)
        }
        // On a tie, the shorter name is first, then the earlier flag.
        let sorted = ranks.sorted { left, right in
            (right.score, left.length, left.number) < (left.score, right.length, right.number)
        }
        return sorted.map { .flag($0.number) }
    }

    /// The heading of overrides whose flags are neither in the catalog nor in a source.
    package static let unlistedHeading: FlagText = "Not listed"
}

/// Rows under their headings. A flag that was added under "Pinned" or "Overridden" is not added again.
private struct Sections {
    private(set) var rows: [FlagRows.Row] = []
    let board: FlagBoard
    let hasGaps: Bool
    var folded: Set<String> = []
    /// Whether each flag is still to be added, by the flag's number; `nil` if all flags are.
    var remaining: [Bool]?

    mutating func append(_ content: [FlagRows.Row], under heading: FlagRows.Heading) {
        let isFolded = folded.contains(heading.name(on: board))
        var group = FlagRows.Group(heading: heading)
        let start = rows.count
        for row in content {
            var isChanged = true
            if case .flag(let place) = row {
                guard remaining?[place] ?? true else { continue }
                isChanged = board.isOverridden(place)
                if heading.isReference { remaining?[place] = false }
            }
            group.add(isChanged: isChanged)
            if !isFolded { rows.append(row) }
        }
        guard group.count > 0 else { return }
        rows.insert(isFolded ? .folded(group) : .header(group), at: start)
        if hasGaps, start > 0 { rows.insert(.gap, at: start) }
    }
}

extension FlagRows.Row {
    /// The place of a flag; `nil` for other rows.
    package var place: FlagBoard.Place? { if case .flag(let place) = self { place } else { nil } }

    /// Whether the row can be selected. The heading of an open group cannot: a key press more at each group would be
    /// too many.
    package var isSelectable: Bool {
        switch self {
        case .flag, .part, .folded: true
        case .header, .gap: false
        }
    }

    /// The heading of a group, open or folded; `nil` for other rows.
    package var heading: FlagRows.Heading? {
        switch self {
        case .header(let group), .folded(let group): group.heading
        case .flag, .part, .gap: nil
        }
    }
}

extension FlagRows.Heading {
    /// Whether the flags below include one, as far as its place and its key say so.
    package func includes(_ place: FlagBoard.Place, on board: FlagBoard) -> Bool {
        switch self {
        case .category(let index): board.item(at: place)?.category == index
        case .unlisted: board.item(at: place) == nil
        case .prefix(let prefix): board.key(at: place).prefixOfKey == prefix
        default: false
        }
    }

    /// The name of the heading, by which a group is folded.
    package func name(on board: FlagBoard) -> String {
        switch self {
        case .pinned: "Pinned"
        case .overridden: "Changed"
        case .category(let index): board.catalog.categories[index].name.string
        case .unlisted: FlagRows.unlistedHeading.string
        case .byName: "By name"
        case .prefix(""): "Other"
        case .prefix(let prefix): "\(prefix)*"
        case .conditions: "Conditions by hand"
        case .attributes: "Context"
        case .overrides: "Overrides"
        case .launch: "This run only"
        }
    }

    /// Whether the flags of the heading also belong to another heading.
    fileprivate var isReference: Bool { self == .pinned || self == .overridden }
}

extension FlagBoard {
    /// The minimum number of flags of a group by prefix.
    private static let leastGroup = 3

    /// The places of all flags by the prefix of their keys, in the order of the prefixes; the last group, with an empty
    /// prefix, has the flags that share theirs with too few others.
    fileprivate var groupsByPrefix: [(prefix: String, places: [Place])] {
        let groups = Dictionary(grouping: places) { key(at: $0).prefixOfKey }
        let large = groups.filter { !$0.key.isEmpty && $0.value.count >= Self.leastGroup }
        let others = groups.filter { large[$0.key] == nil }.values.joined().sorted()
        return large.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + [("", others)]
    }

    /// The groups by prefix as the list shows them, with the keys of their flags.
    package var prefixGroups: [(name: String, keys: [FlagText])] {
        groupsByPrefix.filter { !$0.places.isEmpty }.map { prefix, places in
            (FlagRows.Heading.prefix(prefix).name(on: self), places.map(key(at:)))
        }
    }

    /// A category with more flags is too long to read at a glance.
    private static let longCategory = 40

    /// The order that fits the document: by prefix if most flags are in one long category, and prefixes divide it.
    package var fittingOrder: ListOrder {
        let isMostlyOneCategory = catalog.categories.contains {
            $0.items.count > Self.longCategory && $0.items.count * 2 > catalog.items.count
        }
        return isMostlyOneCategory && groupsByPrefix.count > 2 ? .prefix : .catalog
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
