/// A dictionary from the keys of flags to values of one type; unlike those of `String`, two keys are equal only if their
/// bytes are. A literal, or a dictionary, makes one.
///
/// `String` compares by canonical equivalence: an "é" of one scalar and an "é" of two would be one key of a dictionary,
/// and one flag would lose its value to the other.
public struct FlagTable<Value> {
    private var valuesByKey: [FlagText: Value]

    init(_ valuesByKey: [FlagText: Value]) { self.valuesByKey = valuesByKey }

    /// An empty table.
    public init() { valuesByKey = [:] }

    /// A table of pairs.
    ///
    /// - Parameter combine: makes one value of the first and the next value of the same key.
    public init(
        _ pairs: some Sequence<(String, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        valuesByKey = try Dictionary(pairs.lazy.map { (FlagText($0.0), $0.1) }, uniquingKeysWith: combine)
    }

    /// A table of the values of a dictionary.
    public init(_ dictionary: [String: Value]) { self.init(dictionary.map { ($0, $1) }) { first, _ in first } }

    /// A table of those members of a JSON object that can be read; of a name that is repeated, the first one counts.
    package init(membersOf object: JSONValue?, reading read: (JSONValue) -> Value?) {
        let pairs = object?.members.compactMap { name, member in read(member).map { (name.string, $0) } }
        self.init(pairs ?? []) { first, _ in first }
    }

    /// The value of a key; assigning `nil` removes the key.
    public subscript(key: String) -> Value? {
        get { valuesByKey[FlagText(key)] }
        _modify { yield &valuesByKey[FlagText(key)] }
    }

    /// The value of a key.
    public subscript(key: FlagText) -> Value? { valuesByKey[key] }

    /// The value of a key, or `defaultValue` without one.
    public subscript(key: String, default defaultValue: @autoclosure () -> Value) -> Value {
        get { valuesByKey[FlagText(key), default: defaultValue()] }
        _modify { yield &valuesByKey[FlagText(key), default: defaultValue()] }
    }

    /// The keys, unordered.
    public var keys: some Collection<String> { valuesByKey.keys.lazy.map(\.string) }

    /// The keys as a set.
    public var keySet: Set<FlagText> { Set(valuesByKey.keys) }

    /// The values, in the order of ``keys``.
    public var values: some Collection<Value> { valuesByKey.values }

    /// The pairs, sorted by the bytes of their keys.
    public var sortedByKey: [Element] {
        valuesByKey.sorted { $0.key < $1.key }.map { (key: $0.key.string, value: $0.value) }
    }

    /// Removes a key, and returns its value.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> Value? { valuesByKey.removeValue(forKey: FlagText(key)) }

    /// The same keys with other values.
    public func mapValues<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> FlagTable<NewValue> {
        FlagTable<NewValue>(try valuesByKey.mapValues(transform))
    }

    /// The pairs for which `isIncluded` is true.
    public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> FlagTable {
        FlagTable(try valuesByKey.filter { try isIncluded((key: $0.key.string, value: $0.value)) })
    }

    /// Adds the pairs of another table.
    ///
    /// - Parameter combine: makes one value of this table's and the other's value of the same key.
    public mutating func merge(
        _ other: FlagTable, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        try valuesByKey.merge(other.valuesByKey, uniquingKeysWith: combine)
    }

    /// This table with the pairs of another one.
    ///
    /// - Parameter combine: makes one value of this table's and the other's value of the same key.
    public func merging(
        _ other: FlagTable, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows -> FlagTable {
        FlagTable(try valuesByKey.merging(other.valuesByKey, uniquingKeysWith: combine))
    }
}

extension FlagTable: Sequence {
    /// A key and its value.
    public typealias Element = (key: String, value: Value)

    /// The pairs, unordered.
    public func makeIterator() -> some IteratorProtocol<Element> {
        valuesByKey.lazy.map { (key: $0.key.string, value: $0.value) }.makeIterator()
    }

    /// The number of keys.
    public var count: Int { valuesByKey.count }

    /// Whether there are no keys.
    public var isEmpty: Bool { valuesByKey.isEmpty }
}

extension FlagTable: ExpressibleByDictionaryLiteral {
    /// A literal of keys and values; of a key that is repeated, the last value counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}

extension FlagTable where Value: Equatable {
    /// The keys whose values differ from those in an older table.
    package func changedKeys(from old: FlagTable) -> Set<FlagText> {
        keySet.union(old.keySet).filter { self[$0] != old[$0] }
    }
}

extension FlagTable: Sendable where Value: Sendable {}
extension FlagTable: Equatable where Value: Equatable {}
extension FlagTable: Hashable where Value: Hashable {}

extension String {
    /// Whether this key sorts before another one, by bytes; `<` takes canonically equivalent keys for equal.
    package func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
