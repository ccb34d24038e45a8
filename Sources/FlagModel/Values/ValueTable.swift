/// Values by key, in the order of their document. A lookup copies no key.
public struct ValueTable: Sendable {
    private struct Entry {
        let key: FlagText
        var value: FlagText
    }

    /// The types that the document declares; a key whose type it does not declare is missing.
    package var types: [FlagText: FlagType] = [:]
    /// The keys that the document has without a value.
    package var unsetKeys: [FlagText] = []
    private var entries: [Entry] = []
    private var index = KeyIndex()

    /// A table without values.
    public init() {}

    /// Values in order; a later pair replaces the value of an earlier one with the same key.
    public init(_ pairs: some Sequence<(key: FlagText, value: FlagText)>) {
        for (key, value) in pairs { set(value, for: key) }
    }

    init(minimumCapacity: Int) {
        entries.reserveCapacity(minimumCapacity)
        index = KeyIndex(minimumCapacity: minimumCapacity)
    }

    /// The number of keys.
    public var count: Int { entries.count }

    /// Whether the table has no key.
    public var isEmpty: Bool { entries.isEmpty }

    /// The keys in the order of the document.
    public var keys: some RandomAccessCollection<FlagText> & Sendable { ValueTableKeys(table: self) }

    /// The value of a key; setting `nil` removes the key.
    public subscript(_ key: FlagText) -> FlagText? {
        get { key.withUTF8 { position(of: $0) }.map { entries[$0].value } }
        set {
            if let newValue { set(newValue, for: key) } else { remove(key) }
        }
    }

    /// The value of a key.
    public subscript(_ key: String) -> FlagText? {
        var key = key
        return key.withUTF8 { position(of: $0) }.map { entries[$0].value }
    }

    fileprivate func key(at position: Int) -> FlagText { entries[position].key }

    private func position(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        index.position(hash: key.seededHash) { entries[$0].key.isEqual(to: key) }
    }

    private mutating func set(_ value: FlagText, for key: FlagText) {
        let hash = key.keyHash
        if let position = index.position(hash: hash, where: { entries[$0].key == key }) {
            entries[position].value = value
        } else {
            append(value, for: key, hash: hash)
        }
    }

    /// Adds a key that must not be in the table; `hash` is the key's `keyHash`.
    package mutating func append(_ value: FlagText, for key: FlagText, hash: Int) {
        entries.append(Entry(key: key, value: value))
        if index.isFull { index.grow { [entries] in entries[$0].key.keyHash } }
        index.insert(entries.count - 1, hash: hash)
    }

    private mutating func remove(_ key: FlagText) {
        guard self[key] != nil else { return }
        self = ValueTable(entries.lazy.filter { $0.key != key }.map { (key: $0.key, value: $0.value) })
    }

    /// The keys of all tables, each with its value in the first table that has the key.
    public static func joined(_ tables: [ValueTable]) -> ValueTable {
        guard var result = tables.first else { return ValueTable() }
        for table in tables.dropFirst() {
            result.types.merge(table.types) { first, _ in first }
            result.unsetKeys += table.unsetKeys
            for entry in table.entries where result[entry.key] == nil { result.set(entry.value, for: entry.key) }
        }
        return result
    }
}

extension ValueTable: Equatable {
    /// Whether both tables have the same keys with the same values, in any order.
    public static func == (lhs: ValueTable, rhs: ValueTable) -> Bool {
        lhs.count == rhs.count && lhs.entries.allSatisfy { rhs[$0.key] == $0.value }
    }
}

extension ValueTable: ExpressibleByDictionaryLiteral {
    /// A table literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.lazy.map { (key: FlagText($0), value: FlagText($1)) })
    }
}

private struct ValueTableKeys: RandomAccessCollection, Sendable {
    let table: ValueTable

    var startIndex: Int { 0 }
    var endIndex: Int { table.count }
    subscript(position: Int) -> FlagText { table.key(at: position) }
}

extension ValueTable {
    /// The number of keys with different values in the two tables, or in only one of them.
    package func differenceCount(from other: ValueTable) -> Int {
        keys.count { self[$0] != other[$0] } + other.keys.count { self[$0] == nil }
    }
}
