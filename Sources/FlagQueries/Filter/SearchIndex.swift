public import FlagModel

/// The search index of a snapshot. Large indexes are built in advance, before the first key needs them.
///
/// The index stores folded titles and keys in one array of bytes, the letters of each flag's texts as a bit set, and
/// each distinct value once, because most values are equal.
public final class SearchIndex: Sendable {
    /// The number of flags of the snapshot.
    public let itemCount: Int
    /// The folded title and key of each flag, in UTF-8.
    let letters: [UInt8]
    /// The bonus of the letter at each byte of ``letters``.
    let bonuses: [UInt8]
    /// The start of each text in ``letters``. Element 2n is the start of the title of flag n, element 2n + 1 the start
    /// of its key, and the last element is the end of the last text.
    let starts: [UInt32]
    /// The set of letters in each flag's title and key together.
    let nameMasks: [LetterMask]
    /// The description of each flag.
    let details: [FlagText?]
    /// The set of letters in each description.
    let detailMasks: [LetterMask]
    /// The distinct values of the layers below the override layer, with their names.
    let values: [FlagText]
    /// The index of each flag's value in ``values``, or ``noValue``.
    let valuePositions: [UInt32]
    /// The layer of each flag's value; `nil` for a flag without a value.
    let layers: [FlagLayer?]
    let types: [FlagType]
    /// The indices of all flags in the natural order of their names.
    let byName: [Int32]

    private let firstAndLastKey: [FlagText]

    static let noValue = UInt32.max

    /// Reads every flag of a snapshot.
    public init(_ snapshot: RemoteSnapshot) {
        var names = NameBytes(itemCount: snapshot.catalog.items.count)
        var facts = ValuePool(itemCount: snapshot.catalog.items.count)
        var detailMasks: [LetterMask] = []
        detailMasks.reserveCapacity(snapshot.catalog.items.count)
        for item in snapshot.catalog.items {
            names.append(item)
            facts.append(item, of: snapshot)
            detailMasks.append(item.details.map(LetterMask.init) ?? LetterMask())
        }
        names.finish()
        itemCount = snapshot.catalog.items.count
        (letters, bonuses, starts, nameMasks) = (names.letters, names.bonuses, names.starts, names.masks)
        (values, valuePositions, layers, types) = (facts.values, facts.positions, facts.layers, facts.types)
        self.detailMasks = detailMasks
        details = snapshot.catalog.items.map(\.details)
        firstAndLastKey = [snapshot.catalog.items.first, snapshot.catalog.items.last].compactMap { $0?.key }
        byName = names.sorted()
    }

    /// The index of a snapshot without flags.
    package static let empty = SearchIndex(.empty)

    /// Whether this is probably the index of a snapshot. Compares only the number of flags and the first and last key.
    package func matches(_ snapshot: RemoteSnapshot) -> Bool {
        let items = snapshot.catalog.items
        guard items.count == itemCount else { return false }
        return [items.first, items.last].compactMap { $0?.key } == firstAndLastKey
    }

    /// The length in bytes of a flag's title, or of its key if the flag has no title.
    @inline(__always)
    func nameLength(_ number: Int, on board: FlagBoard) -> Int {
        guard number < itemCount else { return board.unlistedKeys[number - itemCount].utf8.count }
        let (title, key, end) = (starts[2 * number], starts[2 * number + 1], starts[2 * number + 2])
        return Int(title == key ? end - key : key - title)
    }
}

extension SearchIndex: Equatable {
    /// Whether both are the same object. An index never changes, so its contents need not be compared.
    public static func == (left: SearchIndex, right: SearchIndex) -> Bool { left === right }
}

extension FlagItem {
    /// The text in which a filter searches a value: the value, after its name if it has one.
    func searched(_ value: FlagText, type: FlagType) -> FlagText {
        name(of: value, type: type).map { FlagText("\($0)\n\(value.string)") } ?? value
    }
}

extension LetterMask {
    /// The set of letters in a text; fast for ASCII.
    fileprivate init(_ text: FlagText) {
        self.init()
        text.withUTF8 { bytes in
            for byte in bytes { insert(byte < 0x80 ? UInt32(LetterFolding.small(byte)) : 0x80) }
        }
        // Accented letters fold to ASCII.
        if hasNonASCII { for letter in FoldedText(text.string).letters { insert(letter) } }
    }
}

extension LetterFolding {
    @inline(__always)
    static func small(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}

/// Collects the titles and keys of flags as folded bytes.
private struct NameBytes {
    private(set) var letters: [UInt8] = []
    private(set) var bonuses: [UInt8] = []
    private(set) var starts: [UInt32] = []
    private(set) var masks: [LetterMask] = []

    init(itemCount: Int) {
        letters.reserveCapacity(itemCount * 40)
        bonuses.reserveCapacity(itemCount * 40)
        starts.reserveCapacity(2 * itemCount + 1)
        masks.reserveCapacity(itemCount)
    }

    mutating func append(_ item: FlagItem) {
        var mask = LetterMask()
        starts.append(UInt32(truncatingIfNeeded: letters.count))
        if let title = item.title { append(title, &mask) }
        starts.append(UInt32(truncatingIfNeeded: letters.count))
        append(item.key, &mask)
        masks.append(mask)
    }

    mutating func finish() { starts.append(UInt32(truncatingIfNeeded: letters.count)) }

    private mutating func append(_ text: FlagText, _ mask: inout LetterMask) {
        let start = letters.count
        let isASCII = text.withUTF8 { bytes in
            var previous = LetterBonus.Kind.none
            for byte in bytes {
                guard byte < 0x80 else { return false }
                let kind = LetterBonus.Kind(byte)
                let letter = LetterFolding.small(byte)
                letters.append(letter)
                bonuses.append(LetterBonus.of(kind, after: previous))
                mask.insert(UInt32(letter))
                previous = kind
            }
            return true
        }
        guard !isASCII else { return }
        letters.removeSubrange(start...)
        bonuses.removeSubrange(start...)
        appendFolded(FoldedText(text.string), &mask)
    }

    private mutating func appendFolded(_ text: FoldedText, _ mask: inout LetterMask) {
        for (letter, bonus) in zip(text.letters, text.bonuses) {
            mask.insert(letter)
            guard let scalar = Unicode.Scalar(letter), let bytes = UTF8.encode(scalar) else { continue }
            for byte in bytes {
                letters.append(byte)
                bonuses.append(bonus)
            }
        }
        // Marks that the text is not ASCII, even if all its letters fold to ASCII.
        mask.insert(0x80)
    }

    /// The indices of the flags in order of title, or of key if a flag has no title.
    func sorted() -> [Int32] {
        let numbers = masks.indices.map { Int32(truncatingIfNeeded: $0) }
        return letters.withUnsafeBufferPointer { letters in
            func name(_ item: Int32) -> UnsafeBufferPointer<UInt8> {
                let (title, key) = (2 * Int(item), 2 * Int(item) + 1)
                let text = starts[title] == starts[key] ? key : title
                return UnsafeBufferPointer(rebasing: letters[Int(starts[text])..<Int(starts[text + 1])])
            }
            return numbers.sorted { NaturalOrder.isBefore(name($0), name($1)) }
        }
    }
}

/// Collects distinct values, with the layer and the type of each flag.
private struct ValuePool {
    private(set) var values: [FlagText] = []
    private(set) var positions: [UInt32] = []
    private(set) var layers: [FlagLayer?] = []
    private(set) var types: [FlagType] = []
    private var positionsByValue: [FlagText: UInt32] = [:]

    init(itemCount: Int) {
        positions.reserveCapacity(itemCount)
        layers.reserveCapacity(itemCount)
        types.reserveCapacity(itemCount)
    }

    mutating func append(_ item: FlagItem, of snapshot: RemoteSnapshot) {
        let type = snapshot.type(of: item)
        types.append(type)
        for (layer, table) in [(FlagLayer.remote, snapshot.values), (.default, snapshot.defaults)] {
            guard let value = table[item.key], type == .string || type.accepts(value.string) else { continue }
            layers.append(layer)
            positions.append(position(of: item.searched(value, type: type)))
            return
        }
        layers.append(nil)
        positions.append(SearchIndex.noValue)
    }

    /// The index of a value in the pool. A new value is added to the pool.
    private mutating func position(of value: FlagText) -> UInt32 {
        if let position = positionsByValue[value] { return position }
        let position = UInt32(truncatingIfNeeded: values.count)
        positionsByValue[value] = position
        values.append(value)
        return position
    }
}
