extension StoreReading {
    /// The error of the store and what is in use meanwhile, as one sentence or two; `nil` if there is none.
    public var problem: String? {
        switch condition {
        case .missing, .sound:
            problems.first
        case .newerFormat(let format):
            "Written by a newer version (format \(format)): the overrides are in use, but cannot be changed."
        case .corrupt(let sentences), .unreadable(let sentences):
            sentences
        }
    }
}
