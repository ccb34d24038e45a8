/// The values of one layer: overrides of single keys, and the values of documents.
public struct LayerContent: Sendable, Equatable {
    /// Values by key, with author and time if these are known.
    public var overrides: FlagTable<FlagOverride> = [:]
    /// Values of documents.
    public var table = ValueTable()

    /// A layer without values.
    public init() {}

    /// Values of documents.
    public init(_ table: ValueTable) { self.table = table }

    /// Values without author and time.
    public init(texts: FlagTable<String>) {
        if !texts.isEmpty { overrides = texts.mapValues { FlagOverride(value: $0) } }
    }

    /// Whether no key has a value.
    public var isEmpty: Bool { overrides.isEmpty && table.isEmpty }

    /// The keys that have a value, unordered.
    public var keys: [FlagText] { Array(overrides.keySet) + table.keys }

    /// The value of a key as text.
    public func text(of key: String) -> String? { overrides[key]?.value ?? table[key]?.string }

    /// The value of a key.
    package func value(of key: FlagText) -> FlagText? { overrides[key].map { FlagText($0.value) } ?? table[key] }
}

extension LayerContent: ExpressibleByDictionaryLiteral {
    /// A literal of values.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(texts: FlagTable(elements) { _, last in last })
    }
}
