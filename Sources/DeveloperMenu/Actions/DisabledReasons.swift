import FlagModel
import FlagQueries

/// Why actions on the list and its flags are disabled, as sentences; `nil` if they are enabled. The footer omits
/// disabled actions; pressing their keys shows the reason.
extension MenuState {
    /// Why there is no selected flag; `nil` if there is one.
    var selectionReason: String? {
        guard list.selectedPlace == nil else { return nil }
        if list.selectedGroup != nil { return "This is a folded group. \(keyWord(of: "unfold")) unfolds it." }
        if let part = list.selectedPart {
            return "This is \(part.kind == .condition ? "a condition" : "an attribute"), not a flag."
        }
        return list.isNarrowed
            ? "No flag is listed. \(keyWord(of: .cancel)) shows all flags."
            : "There is no flag to choose yet."
    }

    /// Why there is no row to open.
    var openingReason: String? { list.selectedPart != nil || list.selectedGroup != nil ? nil : selectionReason }

    /// Why there are no marked or listed flags to change.
    var listedReason: String? { list.marks.isEmpty && list.flagCount == 0 ? selectionReason : nil }

    var matchReason: String? {
        list.filter.text.isEmpty ? "There is no filter. \(keyWord(of: .filter)) starts one." : selectionReason
    }

    var foldReason: String? {
        if list.selectedGroup != nil { return "It is folded." }
        guard list.canFold else {
            return "Only the whole list can be folded. \(keyWord(of: .cancel)) shows all flags."
        }
        return list.groupOfSelection == nil ? "There is no group to fold." : nil
    }

    var toggleReason: String? {
        guard list.marks.isEmpty else {
            let canToggle = list.hasMarked { list.board.facts(at: $0).toggled != nil }
            return canToggle ? nil : "No marked flag has options to step through."
        }
        if list.selectedPart?.kind == .condition { return nil }
        guard let flag = list.selected else { return selectionReason }
        return flag.hasChoice
            ? nil : "\(flag.name) has no options to step through. \(keyWord(of: .open)) edits its value."
    }

    var keepReason: String? {
        guard let flag = list.selected, list.keepingEdits.isEmpty else { return selectionReason }
        return flag.override == nil ? "\(flag.name) has no value." : "\(flag.name) is overridden already."
    }

    var clearReason: String? {
        guard list.marks.isEmpty else { return markedReason }
        return list.selectedPart != nil ? nil : list.selected.map(\.clearReason) ?? selectionReason
    }

    /// Why the selected flag has no override to say something about.
    var noteReason: String? { list.selected.map(\.noteReason) ?? selectionReason }

    /// Why the overrides of the flags cannot be moved to the team.
    var moveToTeamReason: String? {
        guard list.marks.isEmpty else { return markedReason }
        guard let flag = list.selected else { return selectionReason }
        return flag.override == nil ? "\(flag.name) has no override to move." : nil
    }

    /// Why no marked flag can be reset.
    private var markedReason: String? {
        list.hasMarked(where: list.board.isOverridden) ? nil : "No marked flag is overridden."
    }

    /// Why changes are disabled in a read-only menu, as a sentence; `nil` if the menu is not read-only.
    var readOnlyReason: String? {
        preferences.isReadOnly ? "Read-only: nothing was changed. flagmenu status --files shows who set it." : nil
    }

    /// Why no reset is possible.
    var resetReason: String? { changeCount == 0 ? "Nothing is overridden." : nil }

    var bisectReason: String? {
        store.bisect == nil && changeCount < 2 ? "A bisect is a search among at least two changes." : nil
    }

    /// Why no change can be undone or redone.
    var undoReason: String? {
        guard store.bisect != nil else { return nil }
        let keys = "\(keyName(of: "bisect")) and \(keyName(of: "stop", in: BisectSheet.part))"
        return "A bisect is running, and undo and redo wait for its end. \(keys) stop it."
    }

    var activationReason: String? {
        remote.waiting == nil ? "Nothing to activate. \(keyWord(of: .fetch)) fetches." : nil
    }

    var fetchReason: String? {
        // The fetch at the start of the menu does not disable the action, as a fetch by the user replaces that fetch.
        guard remote.condition == nil, !remote.isStartupFetch else { return nil }
        return "Fetching remote values.\(remote.fetch == nil ? "" : " \(keyWord(of: .cancel)) cancels.")"
    }

    var cancelReason: String? {
        list.isNarrowed || remote.fetch != nil || !list.marks.isEmpty
            ? nil : "All flags are shown. \(keyWord(of: .quit)) quits."
    }
}

// Why actions on one flag are disabled.
extension FlagFacts {
    /// Why there is no override to reset.
    var clearReason: String? {
        guard override == nil else { return nil }
        guard team != nil else { return "\(name) is not overridden." }
        let command = "flagmenu reset \(ShellCommand.word(key)) --layer team"
        return "\(name) is not overridden here. \(command) resets the team's value."
    }

    /// Why there is no override to say something about.
    var noteReason: String? { override == nil ? "\(name) is not overridden. Set a value first." : nil }
}
