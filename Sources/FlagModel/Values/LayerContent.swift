/// The values of one layer: those that were set one by one, and those of documents.
public struct LayerContent: Sendable, Equatable {
    /// Values by key, with who set them and when, as far as that is known.
    public var overrides: [String: Override] = [:]
    /// Values of documents.
    public var table = ValueTable()

    /// No values.
    public init() {}

    /// Values of documents.
    public init(_ table: ValueTable) { self.table = table }

    /// Values of which nobody knows who set them.
    public init(texts: [String: String]) {
        if !texts.isEmpty { overrides = texts.mapValues { Override(value: $0) } }
    }

    /// `true` if no key has a value.
    public var isEmpty: Bool { overrides.isEmpty && table.isEmpty }

    /// The keys that have a value, in no order.
    public var keys: [String] { overrides.keys + table.keys.map(\.string) }

    /// The value of a key as text.
    public func text(of key: String) -> String? { overrides[key]?.value ?? table[key]?.string }

    /// The value of a key.
    ///
    /// - Parameter name: the key as a string, made only if it is needed.
    func value(of key: FlagText, name: @autoclosure () -> String) -> FlagText? {
        guard !overrides.isEmpty, let override = overrides[name()] else { return table[key] }
        return FlagText(override.value)
    }
}

extension LayerContent: ExpressibleByDictionaryLiteral {
    /// Values written in code.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(texts: Dictionary(elements) { _, last in last })
    }
}
