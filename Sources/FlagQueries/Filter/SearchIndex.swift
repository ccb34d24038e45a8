public import FlagModel

/// The search index of a snapshot: the letters of all texts in one array. Large indexes are built in advance, before the
/// first key needs them.
public final class SearchIndex: Sendable {
    /// The number of flags of the snapshot.
    public let itemCount: Int
    /// The letters of the texts of all flags.
    private let letters: [Letter]
    /// The start of each text in ``letters``, three for each flag. The last element is the end of the last text.
    private let starts: [Int]
    /// The ``Letter/setBit``s of each text.
    private let letterSets: [UInt64]
    /// The different values of flags in the layers below the override layer, with their names. Most flags have the same
    /// few values.
    let values: [FlagText]
    /// The index of each flag's value in ``values``; `nil` for a flag without a value.
    let valueNumbers: [Int?]
    /// The layer of each flag's value; `nil` for a flag without a value.
    let layers: [FlagLayer?]
    let types: [FlagType]
    /// The indices of all flags in the natural order of their names.
    let byName: [Int]
    private let firstAndLastKey: [FlagText]

    /// The texts of a flag, in their order in the index.
    enum Text: Int { case title, key, details }

    /// Reads every flag of a snapshot.
    public init(_ snapshot: RemoteSnapshot) {
        let items = snapshot.catalog.items
        var (letters, starts, letterSets): ([Letter], [Int], [UInt64]) = ([], [], [])
        // Growing would copy all letters. Memory that is not used costs nothing.
        letters.reserveCapacity(items.count * 128)
        func append(_ text: FlagText?) {
            let start = letters.count
            starts.append(start)
            if let text { letters.append(lettersOf: text.string) }
            letterSets.append(letters[start...].reduce(0) { $0 | $1.setBit })
        }
        let tables = [(FlagLayer.remote, snapshot.values), (.default, snapshot.defaults)]
        var (types, layers): ([FlagType], [FlagLayer?]) = ([], [])
        var (values, numbers, valueNumbers): ([FlagText], [FlagText: Int], [Int?]) = ([], [:], [])
        for item in items {
            append(item.title)
            append(item.key)
            append(item.details)
            let type = snapshot.type(of: item)
            types.append(type)
            let stored = tables.lazy.compactMap { layer, table in table[item.key].map { (layer, $0) } }
                .first { type.accepts($0.1) }
            layers.append(stored?.0)
            let value = stored.map { item.searched($0.1, type: type) }
            if let value, numbers[value] == nil {
                numbers[value] = values.count
                values.append(value)
            }
            valueNumbers.append(value.flatMap { numbers[$0] })
        }
        starts.append(letters.count)
        byName = items.indices.sorted {
            NaturalOrder.isBefore(Self.name($0, letters, starts), Self.name($1, letters, starts))
        }
        (itemCount, self.letters, self.starts) = (items.count, letters, starts)
        (self.letterSets, self.types, self.layers) = (letterSets, types, layers)
        (self.values, self.valueNumbers) = (values, valueNumbers)
        firstAndLastKey = [items.first, items.last].compactMap { $0?.key }
    }

    /// The index of a snapshot without flags.
    package static let empty = SearchIndex(.empty)

    /// Whether this is probably the index of a snapshot. Compares only the number of flags and the first and last key.
    package func matches(_ snapshot: RemoteSnapshot) -> Bool {
        let items = snapshot.catalog.items
        return items.count == itemCount && [items.first, items.last].compactMap { $0?.key } == firstAndLastKey
    }

    /// Whether a text may have all letters of a set.
    @inline(__always)
    func mayHave(_ letterSet: UInt64, in text: Text, of number: Int) -> Bool {
        letterSet & ~letterSets[3 * number + text.rawValue] == 0
    }

    /// Calls a function with the letters of a text of a flag; there are none if the flag does not have the text.
    @inline(__always)
    func withLetters<Result>(
        _ text: Text, of number: Int, _ body: (UnsafeBufferPointer<Letter>) -> Result
    ) -> Result {
        let position = 3 * number + text.rawValue
        return letters.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[starts[position]..<starts[position + 1]]))
        }
    }

    /// The letters of a flag's title, or of its key if the flag has no title. Inlined, as it then counts no references:
    /// a filter asks for the name of each flag that matches.
    @inline(__always)
    func name(_ number: Int, on board: FlagBoard) -> ArraySlice<Letter> {
        number < itemCount
            ? Self.name(number, letters, starts) : [Letter](of: board.key(at: number).string)[...]
    }

    @inline(__always)
    private static func name(_ number: Int, _ letters: [Letter], _ starts: [Int]) -> ArraySlice<Letter> {
        let (title, key, details) = (starts[3 * number], starts[3 * number + 1], starts[3 * number + 2])
        return title == key ? letters[key..<details] : letters[title..<key]
    }
}

extension SearchIndex: Equatable {
    /// Whether both are of the same texts.
    public static func == (left: SearchIndex, right: SearchIndex) -> Bool {
        left === right || left.letters == right.letters && left.starts == right.starts
    }
}

extension FlagItem {
    /// The text in which a filter searches a value: the value, after its name if it has one.
    func searched(_ value: FlagText, type: FlagType) -> FlagText {
        name(of: value.string, type: type).map { FlagText("\($0)\n\(value.string)") } ?? value
    }
}
