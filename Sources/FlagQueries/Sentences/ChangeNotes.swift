public import FlagModel

extension FlagBoard {
    /// Notes on a flag that was just changed, one sentence each: the app reads the flag only at its next start, a
    /// required flag is off, or the flag has expired.
    public func changeNotes(for key: String) -> [String] {
        let facts = facts(of: FlagText(key))
        var notes: [String] = []
        if facts.item?.needsRestart == true { notes.append("The app reads \(key) at its next start.") }
        let unmet = (facts.item?.requires ?? []).map(\.string).filter { !isOn($0) }
        if !unmet.isEmpty {
            notes.append(
                "It has no effect while \(unmet.joined(separator: ", ")) \(unmet.count == 1 ? "is" : "are") off.")
        }
        if let expiry = facts.expiry { notes.append("The flag expired on \(expiry).") }
        return notes
    }

    /// Whether a required flag is on: the value of a bool is true, or the value of another type is not empty.
    private func isOn(_ key: String) -> Bool {
        let facts = facts(of: FlagText(key))
        guard let value = facts.value, !value.isEmpty else { return false }
        return facts.type == .bool ? FlagReading.bool(value) == true : true
    }
}
