import FlagModel
import FlagQueries
import TerminalUI

// Actions of the list and its filter line.
extension MenuState {
    /// Changes the list, or moves in it.
    mutating func inList(_ change: (inout FlagList) -> Void) -> [Effect] {
        change(&list)
        return []
    }

    /// Opens the filter line. The first key replaces a kept filter, as a selected text.
    mutating func openFilterLine() -> [Effect] {
        mode = .filter
        list.replacesFilter = !list.filter.characters.isEmpty
        return []
    }

    mutating func clearFilter() -> [Effect] {
        mode = .list
        return inList { $0.changeFilter(selectingFirst: false) { $0 = TextField() } }
    }

    mutating func typeInFilter(_ text: String) {
        if !list.typeInFilter(text) { showFilterIsFull() }
    }

    mutating func showFilterIsFull() {
        show("A filter has at most \(FlagList.filterLimit) characters; the rest was left out.", .rejection)
    }

    mutating func openSelected() -> [Effect] {
        if let part = list.selectedPart { return openContext(at: part) }
        if let group = list.selectedGroup { return inList { $0.changeFolding(of: group) } }
        guard let flag = selected else { return [] }
        // A read-only menu cannot save, so it shows the explanation instead of the editor.
        return preferences.isReadOnly ? openOnSelected(ExplanationSheet.init) : open(flag)
    }

    /// Opens the option list of a flag, or the editor of its value.
    mutating func open(_ flag: FlagFacts) -> [Effect] {
        flag.hasChoice ? open(OptionList(flag)) : open(ValueEditor(flag))
    }

    /// Cancels what Escape cancels first: a fetch, the marks, the filter.
    mutating func cancel() -> [Effect] {
        if remote.fetch != nil { return cancelFetch() }
        return list.marks.isEmpty ? inList { $0.showAll() } : mark { $0.marks = FlagMarks() }
    }

    /// Marks or unmarks flags, and shows how many are marked and what changes them.
    mutating func mark(_ change: (inout FlagList) -> Void) -> [Effect] {
        change(&list)
        guard list.markedCount > 0 else { return show("No flag is marked now.") }
        return show(
            "\(list.markedCount) marked: \(keyName(of: .toggle)) toggles, \(keyName(of: "setListed")) sets, "
                + "\(keyName(of: .clear)) resets, \(keyName(of: .cancel)) unmarks.")
    }

    /// Pins or unpins the selected flag.
    mutating func pinSelected() -> [Effect] {
        guard let flag = selected else { return [] }
        let isPinned = list.togglePin(of: flag.key)
        return show("\(flag.name) is \(isPinned ? "pinned on top" : "no longer pinned").")
    }

    /// Switches to the next order, and shows its name because the list may look the same.
    mutating func changeOrder() -> [Effect] {
        list.changeOrder()
        let isRanked = FlagQuery(list.filter.text).isRanked
        return show("Order: \(list.order.label)\(isRanked ? "; a filter with words sorts by match" : "").")
    }
}
