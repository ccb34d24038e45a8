public import FlagQueries

/// The dialog that shows the plan of a bulk action and asks for confirmation; the default is no.
public struct BulkDialog: Sendable, Equatable {
    /// The plan. If values change while the dialog is open, it is made again.
    public internal(set) var plan: BulkPlan
    /// The equivalent shell commands.
    var commands: [ShellCommand]
    /// The keys of the hidden list: the fuzzy matches of the filter or, if ``isByLetters``, the exact matches.
    var otherKeys: [String] = []
    /// Whether the dialog lists the fuzzy matches: flags that match the filter only by scattered letters.
    var isByLetters = false
    /// The scroll position of the list.
    var scrolled = ScrolledLines.none

    /// The label of the key that switches to the other list; `nil` if there is no other list.
    var othersLabel: String? {
        guard case .importing(_, let imported, let withUnknown, _) = plan.request else {
            return otherKeys.isEmpty ? nil : isByLetters ? "exact matches" : "fuzzy matches"
        }
        guard !imported.unknownValues.isEmpty else { return nil }
        return withUnknown ? "leave out unknown keys" : "import unknown keys too"
    }
}
