public import FlagModel

extension FlagBoard {
    /// Notes on a flag that was just changed, one sentence each: the app reads the flag only at its next start, a
    /// required flag is off, or the flag has expired.
    public func changeNotes(for key: String) -> [String] {
        let facts = facts(of: FlagText(key))
        var notes: [String] = []
        if facts.item?.needsRestart == true { notes.append("The app reads \(key) at its next start.") }
        let required = (facts.item?.requires ?? []).map { self.facts(of: $0) }
        let unmet = required.filter { !$0.isOn(with: $0.value) }.map(\.key)
        if !unmet.isEmpty {
            notes.append(
                "It has no effect while \(unmet.joined(separator: ", ")) \(unmet.count == 1 ? "is" : "are") off.")
        }
        if let expiry = facts.expiry { notes.append("The flag expired on \(expiry).") }
        return notes
    }
}
