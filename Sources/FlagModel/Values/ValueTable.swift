/// The values of flags in one file or response, as texts by key, in the order of the file.
public struct ValueTable: Sendable {
    /// The types that the document declares; a key whose type it does not declare is missing.
    package var types: [FlagText: FlagType] = [:]
    /// The keys that the document has without a value.
    package var unsetKeys: [FlagText] = []
    /// The keys in the order of the document.
    public private(set) var keys: [FlagText] = []
    private var values: [FlagText: FlagText] = [:]

    /// A table without values.
    public init() {}

    /// Values in order; a later pair replaces the value of an earlier one with the same key.
    public init(_ pairs: some Sequence<(key: FlagText, value: FlagText)>) {
        for (key, value) in pairs { self[key] = value }
    }

    init(minimumCapacity: Int) {
        keys.reserveCapacity(minimumCapacity)
        values.reserveCapacity(minimumCapacity)
    }

    /// The number of keys.
    public var count: Int { keys.count }

    /// Whether the table has no key.
    public var isEmpty: Bool { keys.isEmpty }

    /// The value of a key; setting `nil` removes the key.
    public subscript(_ key: FlagText) -> FlagText? {
        get { values[key] }
        set {
            if let newValue {
                if values.updateValue(newValue, forKey: key) == nil { keys.append(key) }
            } else if values.removeValue(forKey: key) != nil {
                keys.removeAll { $0 == key }
            }
        }
    }

    /// The value of a key.
    public subscript(_ key: String) -> FlagText? { self[FlagText(key)] }

    /// The keys of all tables, each with its value in the first table that has the key.
    public static func joined(_ tables: [ValueTable]) -> ValueTable {
        guard var result = tables.first else { return ValueTable() }
        for table in tables.dropFirst() {
            result.types.merge(table.types) { first, _ in first }
            result.unsetKeys += table.unsetKeys
            for key in table.keys where result[key] == nil { result[key] = table[key] }
        }
        return result
    }
}

extension ValueTable: Equatable {
    /// Whether both tables have the same keys with the same values, in any order.
    public static func == (lhs: ValueTable, rhs: ValueTable) -> Bool { lhs.values == rhs.values }
}

extension ValueTable: ExpressibleByDictionaryLiteral {
    /// A table literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.lazy.map { (key: FlagText($0), value: FlagText($1)) })
    }
}
