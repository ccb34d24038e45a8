extension StoreReading {
    /// The error of the store and which overrides are in use, as a sentence or two; `nil` without an error.
    public var issue: String? {
        switch condition {
        case .missing, .sound:
            issues.first
        case .newerFormat(let format):
            "Written by a newer version (format \(format)): the overrides are in use, but cannot be changed."
        case .corrupt(let sentences), .unreadable(let sentences):
            sentences
        }
    }
}
