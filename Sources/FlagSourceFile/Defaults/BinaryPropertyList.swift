import Essentials
import FlagModel
import Synchronization

/// Reads Firebase's in-app defaults from a binary property list, `bplist00`, with Foundation.
enum BinaryPropertyList {
    static func values(in bytes: [UInt8]) throws(DocumentError) -> ValueTable {
        let limit = XMLReader.sizeLimit
        guard bytes.count <= limit else {
            throw .unknownShape("the property list has \(bytes.count) bytes; at most \(limit) are read")
        }
        let decoder = PropertyListDecoder()
        if let key = Budget.key { decoder.userInfo[key] = Budget() }
        do {
            switch try decoder.decode(PropertyListValue.self, from: Data(bytes)).value {
            case .object(let members): return ValueTable(flags: members)
            case .array: throw DefaultsError.notADictionary("an array")
            default: throw DefaultsError.notADictionary("a single value")
            }
        } catch {
            throw .unknownShape((error as? DefaultsError ?? .damaged).sentence)
        }
    }
}

/// The number of bytes that a property list may still expand to. Containers refer to their members by number, so a
/// container in a small file can contain itself, or expand to more than fits in memory.
private final class Budget: Sendable {
    static let key = CodingUserInfoKey(rawValue: "budget")

    private let bytes = Atomic(XMLReader.sizeLimit)

    func spend(_ size: Int) throws(DefaultsError) {
        guard bytes.subtract(size, ordering: .relaxed).newValue >= 0 else {
            throw DefaultsError(sentence: "the property list expands to more than \(XMLReader.sizeLimit) bytes")
        }
    }
}

/// A value of any kind.
private struct PropertyListValue: Decodable {
    /// The size of a value in bytes, as the expanded size is measured in XML: the length of `<true/>`, the shortest
    /// value. Each container around a value counts again, as Foundation takes longer to decode nested values.
    private static let elementSize = 7

    let value: JSONOutput

    init(from decoder: any Decoder) throws {
        guard let budget = Budget.key.flatMap({ decoder.userInfo[$0] }) as? Budget else { throw DefaultsError.damaged }
        try budget.spend(Self.elementSize * (decoder.codingPath.count + 1))
        if let members = try? decoder.container(keyedBy: MemberKey.self) {
            try Self.requireDepth(decoder)
            value = .object(try Self.members(members, budget))
        } else if var elements = try? decoder.unkeyedContainer() {
            try Self.requireDepth(decoder)
            var values: [JSONOutput] = []
            while !elements.isAtEnd { values.append(try elements.decode(Self.self).value) }
            value = .array(values)
        } else {
            value = try Self.scalar(try decoder.singleValueContainer(), budget)
        }
    }

    private static func requireDepth(_ decoder: any Decoder) throws(DefaultsError) {
        guard decoder.codingPath.count < JSONDocument.depthLimit else { throw .tooDeep }
    }

    /// Dictionaries have no order, so keys are sorted.
    private static func members(
        _ container: KeyedDecodingContainer<MemberKey>, _ budget: Budget
    ) throws -> [(String, JSONOutput)] {
        let keys = container.allKeys.sorted { $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8) }
        return try keys.map { key in
            try budget.spend(key.stringValue.utf8.count)
            return (key.stringValue, try container.decode(Self.self, forKey: key).value)
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer, _ budget: Budget) throws -> JSONOutput {
        if let text = try? container.decode(String.self) {
            try budget.spend(text.utf8.count)
            return .string(text)
        }
        // The decoder converts whole real numbers to integers, and names their kind only in errors.
        let isReal: Bool
        do {
            return .bool(try container.decode(Bool.self))
        } catch DecodingError.typeMismatch(_, let context) {
            isReal = context.debugDescription.contains("real number")
        }
        if let number = try? container.decode(Int.self) {
            return isReal ? .raw(String(number)) : .integer(number)
        }
        if let number = try? container.decode(UInt64.self) { return .raw(String(number)) }
        if let number = try? container.decode(Double.self) {
            return .number(spelled: "\(number)", isReal: true) ?? .string("\(number)")
        }
        if let date = try? container.decode(Date.self) { return .string(try text(date)) }
        let data = try container.decode(Data.self)
        try budget.spend(data.count)
        return .data(data, base64: data.base64EncodedString())
    }

    /// A date in RFC 3339.
    ///
    /// - Throws: an error if the year is not between 0 and 9999, as RFC 3339 requires.
    private static func text(_ date: Date) throws(DefaultsError) -> String {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { throw .damaged }
        return FlagTimestamp(seconds: Int64(seconds)).rfc3339
    }
}

/// The key of a dictionary's member.
private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
