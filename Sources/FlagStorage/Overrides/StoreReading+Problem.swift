extension StoreReading {
    /// What is wrong with the store and what is in use meanwhile, as one sentence or two; `nil` while all is well.
    public var problem: String? {
        switch condition {
        case .missing, .sound:
            problems.first
        case .corrupt(let sentence):
            "\(sentence). The last good overrides stay in use; the next change keeps the file aside and writes a new one."
        case .newerFormat(let format):
            "The overrides were written by a newer version (format \(format)): they are in use, but cannot be changed."
        case .unreadable(let sentence):
            sentence
        }
    }
}
