import Essentials
import FlagModel

extension JSONOutput {
    /// A number as it is spelled in a document: `.raw` if it is real or too large for an integer; `nil` if the text is
    /// not a number, or not finite.
    static func number(spelled text: String, isReal: Bool) -> JSONOutput? {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        if !isReal, let number = isHexadecimal ? Int(text.dropFirst(2), radix: 16) : Int(text) {
            return .integer(number)
        }
        return FlagReading.double(text) == nil ? nil : .raw(text)
    }

    /// Data as a string in UTF-8, as Firebase reads it, or in base64 if it is not UTF-8.
    static func data(_ bytes: Data?, base64: @autoclosure () -> String) -> JSONOutput {
        .string(bytes.flatMap { String(validating: $0, as: UTF8.self) } ?? base64())
    }

    /// The value as the text of a flag.
    fileprivate var flagText: FlagText {
        switch self {
        case .string(let text), .raw(let text): FlagText(text)
        default: FlagText(text(indented: false))
        }
    }
}

extension ValueTable {
    /// The members of a dictionary as flags, in their order.
    init(flags members: [(String, JSONOutput)]) {
        self.init(members.lazy.map { (key: FlagText($0.0), value: $0.1.flagText) })
        for (key, value) in members {
            switch value {
            case .bool: types[FlagText(key)] = .bool
            case .integer: types[FlagText(key)] = .int
            case .raw: types[FlagText(key)] = .double
            case .array, .object: types[FlagText(key)] = .json
            case .string, .null: break
            }
        }
    }
}

/// Why a document is rejected, or why an entry of it is left out. ``XMLReader`` adds the line and column.
struct DefaultsError: Error {
    let sentence: String
    /// Whether only an entry is left out, and the rest of the document is read.
    var isOfEntry = false

    static let damaged = DefaultsError(sentence: "the binary property list is damaged")

    static let tooDeep = DefaultsError(sentence: "nested more than \(JSONDocument.depthLimit) levels deep")

    static func leftOut(_ what: String) -> DefaultsError {
        DefaultsError(sentence: "\(what) was left out", isOfEntry: true)
    }

    static func notADictionary(_ kind: String) -> DefaultsError {
        DefaultsError(sentence: "the property list is \(kind); expected a dictionary")
    }
}
