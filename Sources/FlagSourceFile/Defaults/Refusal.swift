import FlagModel

/// Why a document is not taken, in words. Whoever reads the document adds the place, where it has lines.
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
