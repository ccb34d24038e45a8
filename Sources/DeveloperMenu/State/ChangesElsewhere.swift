import FlagModel
import FlagQueries

extension FlagTable<FlagOverride> {
    /// What others have changed since `old`, as a sentence; `nil` if all values are the same.
    ///
    /// - Parameter isTeam: whether these are the values of the team instead of those on this machine.
    func changeElsewhere(since old: Self, ofTeam isTeam: Bool = false) -> String? {
        let changed = mapValues(\.value).changedKeys(from: old.mapValues(\.value))
        guard let key = changed.first else { return nil }
        guard changed.count == 1 else {
            let what = isTeam ? "values of the team were changed" : "overrides were changed elsewhere"
            return "\(changed.count) \(what)."
        }
        guard let override = self[key] else {
            return isTeam ? "The team's value of \(key) was reset." : "The override of \(key) was reset elsewhere."
        }
        let author = isTeam ? "for the team by \(override.setBy ?? "someone")" : "elsewhere"
        return "\(key) was set to \(override.value.orQuotes) \(author)."
    }
}
