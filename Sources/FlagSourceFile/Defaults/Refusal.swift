import FlagModel

/// Why a document is rejected, in words. The reader of the document adds line and column if there are any.
struct Refusal: Error {
    let sentence: String
}

extension Refusal {
    static let damaged = Refusal(sentence: "the binary property list is damaged")

    static let tooDeep = Refusal(sentence: "nested more than \(JSONDocument.depthLimit) levels deep")

    static func twice(_ key: String) -> Refusal {
        Refusal(sentence: "duplicate key \(JSONOutput.quoted(key, limit: 60))")
    }

    static func notADictionary(_ found: String) -> Refusal {
        Refusal(sentence: "the property list is \(found); expected a dictionary")
    }
}
