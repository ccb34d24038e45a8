import FlagModel
import FlagWorkspace

extension FlagFacts {
    /// The value to store for a typed value. Prints a warning if it is invalid and accepted.
    ///
    /// - Parameter allowsAny: whether to accept any value.
    /// - Throws: an error if the flag cannot have the value.
    func checked(_ value: String, allowsAny: Bool) throws(CommandFailure) -> String {
        let stored = try CommandFailure.converting(to: .invalidValue) { () throws(InvalidText) in
            try valueToStore(value, allowsAny: allowsAny, option: "--any")
        } sentence: {
            $0.sentence
        }
        consequence(ofStoring: stored).map(StandardError.warn)
        return stored
    }
}
