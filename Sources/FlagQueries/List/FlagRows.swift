public import FlagModel

/// Builds the rows of the list from a board and a query.
public struct FlagRows {
    /// One line of the list.
    public enum Row: Sendable, Hashable {
        /// The heading of the rows below.
        case header(Group)
        /// The heading of a folded group, whose rows are not listed.
        case folded(Group)
        /// A flag.
        case flag(FlagBoard.Place)
        /// A condition or an attribute of the evaluation context that the tester changed.
        case part(ContextPart)
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

    /// Which groups are listed.
    public struct Scope: Sendable, Equatable {
        /// What the tester changed is listed alone, with these conditions and attributes; `nil` to list all flags.
        let changedParts: [ContextPart]?
        /// The names of folded groups.
        let folded: Set<String>

        package init(changedParts: [ContextPart]? = nil, folded: Set<String> = []) {
            (self.changedParts, self.folded) = (changedParts, folded)
        }
    }

    let board: FlagBoard
    let query: FlagQuery
    let scope: Scope
    let order: ListOrder
    let pins: [String]
    let sticky: StickyFlags
    private let index: SearchIndex
    package let search: FlagSearch
    private let stickyNumbers: [Int: StickyFlags.Place]

    package init(
        board: FlagBoard, index: SearchIndex, query: FlagQuery, scope: Scope = Scope(), order: ListOrder = .catalog,
        pins: [String] = [], sticky: StickyFlags = StickyFlags()
    ) {
        self.board = board
        self.index = index
        self.query = query
        self.scope = scope
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
        if query.isRanked { return parts(.condition) + parts(.attribute) + ranked() }
        return scope.changedParts == nil ? grouped(hasGaps: hasGaps) : changes(hasGaps: hasGaps)
    }

    // MARK: what the tester changed

    private func changes(hasGaps: Bool) -> [Row] {
        var sections = Sections(board: board, hasGaps: hasGaps)
        sections.append(parts(.condition), under: .conditions)
        sections.append(parts(.attribute), under: .attributes)
        let listed = listed
        sections.append((order == .name ? byName : board.numbers).filter { listed[$0] }, under: .overrides)
        let launched = search.matches(among: board.launchedNumbers).flags.map(\.number)
        sections.append(launched.filter { !listed[$0] }, under: .launch)
        return sections.rows
    }

    /// The rows of the changed parts of a kind that contain the words of the query. No part has the properties that
    /// other conditions of a query are about.
    private func parts(_ kind: ContextPart.Kind) -> [Row] {
        guard let parts = scope.changedParts, query.conditions.isEmpty else { return [] }
        return parts.filter { $0.kind == kind && query.containsWords(of: $0.name) }.map(Row.part)
    }

    // MARK: under headings

    /// Lists every flag once: first pinned flags, then all others in the list's order.
    private func grouped(hasGaps: Bool) -> [Row] {
        var sections = Sections(board: board, hasGaps: hasGaps, folded: scope.folded, remaining: listed)
        sections.append(pins.compactMap { board.place(of: FlagText($0)).map(board.number) }, under: .pinned)
        if order == .changedFirst { sections.append(overridden, under: .overridden) }
        switch order {
        case .name: sections.append(byName, under: .byName)
        case .prefix:
            for (prefix, numbers) in board.sortedGroupsByPrefix { sections.append(numbers, under: .prefix(prefix)) }
        case .catalog, .changedFirst:
            for (position, category) in board.catalog.categories.enumerated() {
                sections.append(category.items, under: .category(position))
            }
            sections.append(board.unlistedNumbers, under: .unlisted)
        }
        return sections.rows
    }

    /// Whether each flag is listed, by its number.
    private var listed: [Bool] {
        let isWhole = query.isEmpty && scope.changedParts == nil
        var listed = Array(repeating: isWhole, count: board.placeCount)
        guard !isWhole else { return listed }
        for flag in search.matches(among: candidates).flags { listed[flag.number] = true }
        for number in stickyNumbers.keys { listed[number] = true }
        return listed
    }

    /// The numbers of all flags, or only of overridden flags.
    private var candidates: [Int] { scope.changedParts == nil ? board.numbers : board.overriddenNumbers }

    /// The numbers of the flags under "Overridden". A sticky row stays under this heading, or outside of it, even if
    /// its override has changed.
    private var overridden: [Int] {
        let numbers = board.overriddenNumbers
        guard !stickyNumbers.isEmpty else { return numbers }
        let stickyOverridden = stickyNumbers.filter { $0.value.isUnderOverridden }.map(\.key)
        let all = Set(numbers.filter { stickyNumbers[$0]?.isUnderOverridden ?? true }).union(stickyOverridden)
        return all.sorted()
    }

    /// The numbers of all flags, sorted by name: the sorted flags of the index, and the few unlisted flags.
    private var byName: [Int] {
        board.unlistedNumbers.reduce(into: index.byName) { numbers, unlisted in
            let name = index.name(unlisted, on: board)
            let place = numbers.partitioningIndex { NaturalOrder.isBefore(name, index.name($0, on: board)) }
            numbers.insert(unlisted, at: place)
        }
    }

    // MARK: the best match first

    /// The rows of matching flags, the best match first. Sticky rows have the rank of their stored score.
    private func ranked() -> [Row] {
        // Among the tester's changes, launch values are listed, too.
        let launched = scope.changedParts == nil ? [] : board.launchedNumbers.filter { !board.isOverridden($0) }
        let numbers = (candidates + launched).filter { stickyNumbers[$0] == nil }
        let sticky = stickyNumbers.map { (number: $0.key, score: $0.value.score) }
        let ranks = (search.matches(among: numbers).flags + sticky).map { flag in
            (score: flag.score, length: index.name(flag.number, on: board).count, number: flag.number)
        }
        // On a tie, the shorter name is first, then the earlier flag.
        let sorted = ranks.sorted { left, right in
            (right.score, left.length, left.number) < (left.score, right.length, right.number)
        }
        return sorted.map { .flag(board.place($0.number)) }
    }

    /// The heading of overrides whose flags are neither in the catalog nor in a source.
    package static let unlistedHeading: FlagText = "Not listed"
}

/// Rows under their headings. A flag that was added under "Pinned" or "Overridden" is not added again.
private struct Sections {
    private(set) var rows: [FlagRows.Row] = []
    private let board: FlagBoard
    private let hasGaps: Bool
    private let folded: Set<String>
    /// Whether each flag is still to be added, by the flag's number; `nil` if all flags are.
    private var remaining: [Bool]?

    init(board: FlagBoard, hasGaps: Bool, folded: Set<String> = [], remaining: [Bool]? = nil) {
        self.board = board
        self.hasGaps = hasGaps
        self.folded = folded
        self.remaining = remaining
    }

    mutating func append(_ numbers: some Sequence<Int>, under heading: FlagRows.Heading) {
        let isFolded = folded.contains(heading.name(on: board))
        var group = FlagRows.Group(heading: heading)
        let start = rows.count
        for number in numbers where remaining?[number] ?? true {
            if group.count == 0 { appendHeading(of: group) }
            let place = board.place(number)
            group.add(isChanged: board.isOverridden(place))
            if !isFolded { rows.append(.flag(place)) }
            if heading.isReference { remaining?[number] = false }
        }
        end(group, from: start, isFolded: isFolded)
    }

    mutating func append(_ parts: [FlagRows.Row], under heading: FlagRows.Heading) {
        var group = FlagRows.Group(heading: heading)
        let start = rows.count
        for part in parts {
            if group.count == 0 { appendHeading(of: group) }
            group.add(isChanged: true)
            rows.append(part)
        }
        end(group, from: start, isFolded: false)
    }

    private mutating func appendHeading(of group: FlagRows.Group) {
        if hasGaps, !rows.isEmpty { rows.append(.gap) }
        rows.append(.header(group))
    }

    /// Completes the heading of the group that begins at an index, now that its rows are counted.
    private mutating func end(_ group: FlagRows.Group, from start: Int, isFolded: Bool) {
        guard group.count > 0 else { return }
        rows[hasGaps && start > 0 ? start + 1 : start] = isFolded ? .folded(group) : .header(group)
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
        switch (self, place) {
        case (.category(let index), .item(let item)): board.catalog.items[item].category == index
        case (.unlisted, .unlisted): true
        case (.prefix(let prefix), _): board.key(at: place).prefixOfKey == prefix
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
    fileprivate var isReference: Bool {
        switch self {
        case .pinned, .overridden: true
        case .category, .unlisted, .byName, .prefix, .conditions, .attributes, .overrides, .launch: false
        }
    }
}

extension FlagBoard {
    /// The minimum number of flags of a group by prefix.
    private static let leastGroup = 3

    /// The numbers of all flags by the prefix of their keys, in order; under the empty prefix, those that share theirs
    /// with too few others.
    fileprivate var groupsByPrefix: [String: [Int]] {
        var groups: [String: [Int]] = [:]
        for number in numbers { groups[key(at: place(number)).prefixOfKey, default: []].append(number) }
        let few = groups.filter { !$0.key.isEmpty && $0.value.count < Self.leastGroup }
        for prefix in few.keys { groups[prefix] = nil }
        groups["", default: []] += few.values.joined()
        groups[""]?.sort()
        return groups
    }

    /// The groups in the order of their prefixes, each in catalog order; the last group has the flags that share their
    /// prefix with too few others.
    fileprivate var sortedGroupsByPrefix: [(prefix: String, numbers: [Int])] {
        let groups = groupsByPrefix
        return (groups.keys.filter { !$0.isEmpty }.sorted() + [""]).map { ($0, groups[$0] ?? []) }
    }

    /// The groups by prefix as the list shows them, with the keys of their flags.
    package var prefixGroups: [(name: String, keys: [FlagText])] {
        sortedGroupsByPrefix.filter { !$0.numbers.isEmpty }.map { prefix, numbers in
            (FlagRows.Heading.prefix(prefix).name(on: self), numbers.map { key(at: place($0)) })
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
