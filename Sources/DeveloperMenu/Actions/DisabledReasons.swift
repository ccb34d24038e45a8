import FlagModel
import FlagQueries

// Why actions of the list are disabled, as sentences; `nil` if they are enabled. The footer omits disabled actions;
// pressing their keys shows the reason.
extension MenuState {
    /// Why changes are disabled in a read-only menu, as a sentence; `nil` if the menu is not read-only.
    var readOnlyReason: String? {
        preferences.isReadOnly ? "Read-only: nothing was changed. flagmenu status --files shows who set it." : nil
    }

    /// Why there is no selected flag; `nil` if there is one.
    var selectionReason: String? {
        guard selected == nil else { return nil }
        if list.selectedGroup != nil { return "This is a folded group. \(keyWord(of: "unfold")) unfolds it." }
        if let part = list.selectedPart {
            return "This is \(part.kind == .condition ? "a condition" : "an attribute"), not a flag."
        }
        return isNarrowed
            ? "No flag is listed. \(keyWord(of: .cancel)) shows all flags." : "There is no flag to choose yet."
    }

    /// Whether a row is selected that is not a flag.
    var hasOtherSelection: Bool { list.selectedPart != nil || list.selectedGroup != nil }

    var foldReason: String? {
        guard list.canFold else { return "Only the whole list can be folded. \(keyWord(of: .cancel)) shows all flags." }
        return list.groupOfSelection == nil ? "There is no group to fold." : nil
    }

    var toggleReason: String? {
        guard list.marks.isEmpty else {
            let canToggle = hasMarked { board.facts(at: $0).toggled != nil }
            return canToggle ? nil : "No marked flag has options to step through."
        }
        if list.selectedPart?.kind == .condition { return nil }
        guard let flag = selected else { return selectionReason }
        return flag.hasChoice
            ? nil : "\(flag.name) has no options to step through. \(keyWord(of: .open)) edits its value."
    }

    var keepReason: String? {
        guard let flag = selected, keepingEdits.isEmpty else { return selectionReason }
        return flag.override == nil ? "\(flag.name) has no value." : "\(flag.name) is overridden already."
    }

    var resetReason: String? {
        guard list.marks.isEmpty || mode.sheet != nil else {
            return hasMarked(where: board.isOverridden) ? nil : "No marked flag is overridden."
        }
        if list.selectedPart != nil { return nil }
        guard let flag = currentFlag else { return selectionReason }
        guard flag.override == nil else { return nil }
        guard flag.team != nil else { return "\(flag.name) is not overridden." }
        return
            "\(flag.name) is not overridden here. flagmenu reset \(ShellCommand.word(flag.key)) --layer team resets the team's value."
    }

    var fetchReason: String? {
        // The fetch at the start of the menu does not disable the action, as a fetch by the user replaces that fetch.
        guard remote.phase == .loading, !remote.isStartupFetch else { return nil }
        return "Fetching remote values.\(remote.fetch == nil ? "" : " \(keyWord(of: .cancel)) cancels.")"
    }

    var activationReason: String? {
        remote.waitingCount == nil ? "Nothing to activate. \(keyWord(of: .fetch)) fetches." : nil
    }

    var cancelReason: String? {
        isNarrowed || remote.fetch != nil || !list.marks.isEmpty
            ? nil : "All flags are shown. \(keyWord(of: .quit)) quits."
    }

    var matchReason: String? {
        list.filter.text.isEmpty ? "There is no filter. \(keyWord(of: .filter)) starts one." : selectionReason
    }

    /// The flag that actions apply to: the flag of the open sheet or, without one, the selected flag. These two flags
    /// can differ if flags change while the sheet is open.
    var currentFlag: FlagFacts? { mode.sheet?.flagKey.map(facts(of:)) ?? selected }
}
