import Essentials
import FlagModel

extension JSONOutput {
    /// A number as it is spelled in a document; a string if the text is not a number.
    static func number(spelled text: String) -> JSONOutput {
        FlagReading.double(text) == nil ? .string(text) : .raw(text)
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
    ///
    /// - Parameter types: the types that the document declares for numbers, by key.
    init(flags members: [(String, JSONOutput)], types: [FlagText: FlagType] = [:]) {
        self.init(members.lazy.map { (key: FlagText($0.0), value: $0.1.flagText) })
        self.types = types
        for (key, value) in members {
            switch value {
            case .bool: self.types[FlagText(key)] = .bool
            case .array, .object: self.types[FlagText(key)] = .json
            default: break
            }
        }
    }
}
