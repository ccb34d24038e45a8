import FlagModel

/// What somebody else changed in the store, in a sentence.
struct OverrideNews {
    let text: String

    /// - Returns: `nil` when both hold the same overrides.
    init?(from old: [String: Override], to new: [String: Override]) {
        let changed = Set(old.keys).union(new.keys).filter { old[$0]?.value != new[$0]?.value }
        guard let key = changed.first else { return nil }
        guard changed.count == 1 else {
            text = "\(changed.count) overrides were changed elsewhere."
            return
        }
        guard let override = new[key] else {
            text = "The override of \(key) was cleared elsewhere."
            return
        }
        text = "\(key) was set to \(override.value.orQuotes) elsewhere."
    }
}
