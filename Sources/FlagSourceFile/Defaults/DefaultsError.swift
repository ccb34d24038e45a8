import FlagModel

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
