/// The members of a document that is an object of keys and values.
struct RemoteValues: Sendable {
    private(set) var table: ValueTable
    private(set) var types: [FlagText: FlagType] = [:]
    /// The value of `config_categories`.
    private(set) var catalog: JSONValue?
    /// The keys whose value is null.
    private(set) var unsetKeys: [FlagText] = []
    /// The numbers beyond the range of a double, which no app can read.
    private(set) var unreadable: [(key: FlagText, number: JSONValue)] = []

    /// Reads the members of an object.
    init(of object: JSONValue) {
        table = ValueTable(minimumCapacity: object.count)
        for (key, value) in object.members {
            if key.isWord(RemoteDocument.catalogWord) {
                catalog = value
            } else if let text = value.flagText {
                table.append(text, for: key, hash: key.keyHash)
                if let type = value.flagType {
                    types[key] = type
                    if type == .double, FlagReading.isOutOfRange(value.source) { unreadable.append((key, value)) }
                }
            } else {
                unsetKeys.append(key)
            }
        }
    }

    /// A copy whose texts are not slices of the document, so that the document can be released.
    func repacked() -> RemoteValues {
        var result = self
        result.table = table.repacked()
        result.unsetKeys = unsetKeys.map { FlagText(bytes: $0.decodedBytes) }
        result.types = Dictionary(uniqueKeysWithValues: types.map { (FlagText(bytes: $0.decodedBytes), $1) })
        return result
    }
}

extension JSONValue {
    /// The flag type of a JSON value; `nil` for a string, which may have any type, and for null.
    package var flagType: FlagType? {
        switch kind {
        case .bool: .bool
        case .number: FlagReading.int(source) == nil ? .double : .int
        case .array, .object: .json
        case .string, .null: nil
        }
    }
}
