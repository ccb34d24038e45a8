import FlagQueries

// The filter line. A change of the filter selects the best match.
extension FlagList {
    /// The maximum number of characters of a filter: each key press searches every word in every flag.
    static let filterLimit = 200

    /// Whether a filter or "overridden only" is set, which may hide flags.
    public var isNarrowed: Bool { !filter.text.isEmpty || showsChangesOnly }

    /// Types text into the filter line.
    ///
    /// - Returns: whether all of the text fits into the line.
    mutating func typeInFilter(_ text: String) -> Bool {
        var fitsLimit = true
        let replaces = replacesFilter
        changeFilter {
            if replaces { $0 = TextField() }
            fitsLimit = $0.insert(text, limit: Self.filterLimit)
        }
        return fitsLimit
    }

    /// Edits the filter line; the first key that deletes something of a kept filter deletes everything.
    mutating func editFilter(by edit: LineEdit) {
        let deletesAll = replacesFilter && !edit.isMove
        changeFilter { if deletesAll { $0 = TextField() } else { $0.edit(edit) } }
    }

    /// Moves the cursor right or, at the end, completes a condition.
    mutating func completeFilter() {
        replacesFilter = false
        guard filter.cursor == filter.characters.count else { return editFilter(by: .moveRight) }
        if let line = FilterCompletion(self)?.completed(filter) { changeFilter { $0 = line } }
    }

    /// Changes the filter line and rebuilds the list. By default, selects the best match.
    mutating func changeFilter(reselecting: Reselection = .first, _ change: (inout TextField) -> Void) {
        let oldText = filter.text
        change(&filter)
        replacesFilter = false
        guard filter.text != oldText else { return }
        dropStickyRows()
        rebuild(reselecting)
    }
}
