import FlagModel
import FlagRemote

/// Firebase's in-app defaults as a binary property list, `bplist00`.
///
/// Containers name their members by number, so a few bytes can hold themselves, or stand for more than fits in memory.
/// Both are refused; Foundation's readers expand the latter. Dictionaries have no order, so keys are sorted.
struct BinaryPropertyList {
    /// The least that XML takes for an object, `<true/>`: what a list spells out is measured as its XML would be.
    private static let elementSize = 7

    private let objects: BinaryObjects
    private var budget = DefaultsXML.sizeLimit
    /// The containers around the present object, outermost first.
    private var open: [Int] = []

    static func values(in bytes: [UInt8]) throws(DocumentError) -> ValueTable {
        let limit = DefaultsXML.sizeLimit
        guard bytes.count <= limit else {
            throw .unknownShape("the property list has \(bytes.count) bytes; at most \(limit) are read")
        }
        do throws(Refusal) {
            var list = BinaryPropertyList(objects: try BinaryObjects(bytes))
            return try list.values()
        } catch {
            throw .unknownShape(error.sentence)
        }
    }

    private init(objects: BinaryObjects) { self.objects = objects }

    private mutating func values() throws(Refusal) -> ValueTable {
        switch try value(objects.root) {
        case .object(let members): return ValueTable(flags: members)
        case .array: throw .notADictionary("an array")
        default: throw .notADictionary("a single value")
        }
    }

    private mutating func value(_ number: Int) throws(Refusal) -> JSONOutput {
        let object = try objects.object(number)
        try spend(Self.elementSize + object.payload.count)
        switch object.kind {
        case .bool(let value): return .bool(value)
        case .integer: return .raw(try Self.integer(object.payload))
        case .real: return .number(spelled: try Self.real(object.payload))
        case .date: return .string(try Self.date(object.payload))
        case .data: return .data(Array(object.payload), base64: Base64Text.text(object.payload))
        case .ascii, .utf16: return .string(try Self.text(object))
        case .array: return .array(try elements(of: object, number))
        case .dictionary: return .object(try members(of: object, number))
        }
    }

    private mutating func elements(of array: BinaryObject, _ number: Int) throws(Refusal) -> [JSONOutput] {
        try enter(number)
        defer { open.removeLast() }
        var elements: [JSONOutput] = []
        for reference in objects.references(in: array.payload) { elements.append(try value(reference)) }
        return elements
    }

    private mutating func members(of dictionary: BinaryObject, _ number: Int) throws(Refusal) -> [(String, JSONOutput)]
    {
        try enter(number)
        defer { open.removeLast() }
        let references = objects.references(in: dictionary.payload)
        let half = references.count / 2
        var members: [(key: String, value: JSONOutput)] = []
        var keys: Set<FlagText> = []
        for (key, value) in zip(references[..<half], references[half...]) {
            let key = try self.key(key)
            guard keys.insert(FlagText(key)).inserted else { throw .twice(key) }
            members.append((key, try self.value(value)))
        }
        return members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private mutating func key(_ number: Int) throws(Refusal) -> String {
        let object = try objects.object(number)
        try spend(Self.elementSize + object.payload.count)
        return try Self.text(object)
    }

    private mutating func enter(_ number: Int) throws(Refusal) {
        guard !open.contains(number) else { throw Refusal(sentence: "a container holds itself") }
        guard open.count < JSONDocument.depthLimit else { throw .tooDeep }
        open.append(number)
    }

    private mutating func spend(_ size: Int) throws(Refusal) {
        budget -= size
        guard budget >= 0 else {
            throw Refusal(sentence: "the property list spells out more than \(DefaultsXML.sizeLimit) bytes")
        }
    }
}

extension BinaryPropertyList {
    /// Up to four bytes are without sign, eight and sixteen with one.
    private static func integer(_ payload: ArraySlice<UInt8>) throws(Refusal) -> String {
        switch payload.count {
        case 1, 2, 4: String(BinaryObjects.number(payload))
        case 8: String(Int64(bitPattern: BinaryObjects.number(payload)))
        case 16: String(Int128(truncatingIfNeeded: payload.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }))
        default: throw .damaged
        }
    }

    /// The shortest spelling that is read as the same number; whole numbers have no fraction, so that they are whole
    /// for flags, too.
    private static func real(_ payload: ArraySlice<UInt8>) throws(Refusal) -> String {
        let bits = BinaryObjects.number(payload)
        let text =
            switch payload.count {
            case 4: Float(bitPattern: UInt32(truncatingIfNeeded: bits)).description
            case 8: Double(bitPattern: bits).description
            default: throw .damaged
            }
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Seconds since 2001 become RFC 3339, which has years up to 9999.
    private static func date(_ payload: ArraySlice<UInt8>) throws(Refusal) -> String {
        let seconds = Double(bitPattern: BinaryObjects.number(payload)).rounded(.down) + 978_307_200
        guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { throw .damaged }
        return Timestamp(seconds: Int64(seconds)).rfc3339
    }

    private static func text(_ object: BinaryObject) throws(Refusal) -> String {
        var text: String?
        switch object.kind {
        case .ascii where object.payload.allSatisfy { $0 < 0x80 }:
            text = String(decoding: object.payload, as: UTF8.self)
        case .utf16:
            let starts = stride(from: object.payload.startIndex, to: object.payload.endIndex, by: 2)
            let units = starts.map { UInt16(object.payload[$0]) << 8 | UInt16(object.payload[$0 + 1]) }
            text = String(validating: units, as: UTF16.self)
        default: break
        }
        guard let text else { throw .damaged }
        return text
    }
}
