import Essentials
public import FlagModel

extension FlagKey where Value: Codable {
    /// A flag whose text is JSON, such as the description of a screen. A text that does not decode is invalid. The other
    /// parameters are those of the key of a bool.
    public init(
        json name: String, default defaultValue: Value, title: String? = nil, description: String? = nil,
        group: String? = nil, owner: String? = nil, expires: String? = nil, needsRestart: Bool = false
    ) {
        self.init(
            name, default: defaultValue,
            coding: FlagCoding(
                type: .json,
                // If the text does not decode, the store uses the next layer and reports the text.
                read: { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) },
                write: { value in
                    let encoder = JSONEncoder()
                    // Sorted, so that equal values have equal texts.
                    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                    return String(decoding: try encoder.encode(value), as: UTF8.self)
                },
                invalidReason: { text in
                    do {
                        _ = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
                        return nil
                    } catch {
                        return (error as? DecodingError)?.summary ?? "\(error)"
                    }
                }),
            facts: DeclaredFlag.Facts(
                title: title, description: description, group: group, owner: owner, expires: expires,
                needsRestart: needsRestart))
    }
}

extension UndeclaredFlags {
    /// A JSON flag that no key declares.
    ///
    /// - Throws: a `FlagReadError`: `notFound`, or `notCastable` if the text does not decode.
    public func json<Value: Decodable>(_ key: String, as type: Value.Type = Value.self) throws(FlagReadError) -> Value {
        try read(key, as: .string, orFailAs: .json, named: "\(type)") { text in
            try? JSONDecoder().decode(type, from: Data(text.utf8))
        }
    }
}
