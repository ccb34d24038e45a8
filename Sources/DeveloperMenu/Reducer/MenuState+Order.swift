import FlagModel
import FlagQueries

// The arrangement of the list: pins, order, and the restored session.
extension MenuState {
    /// Pins or unpins the selected flag.
    mutating func pinSelected() -> [Effect] {
        guard let flag = selected else { return [] }
        if let index = list.pins.firstIndex(where: { FlagText($0) == FlagText(flag.key) }) {
            list.pins.remove(at: index)
            show("\(flag.name) is no longer pinned.")
        } else {
            list.pins.append(flag.key)
            show("\(flag.name) is pinned on top.")
        }
        rebuildList()
        return []
    }

    /// Switches to the next order, and shows its name because the list may look the same.
    mutating func changeOrder() -> [Effect] {
        list.chosenOrder = list.order.next
        list.dropStickyRows()
        let isRanked = FlagQuery(list.filter.text).isRanked
        show("Order: \(list.order.label)\(isRanked ? "; a filter with words sorts by match" : "").")
        rebuildList()
        return []
    }

    /// Restores a session. If the flags have not been read yet, the selected key is remembered and selected later.
    mutating func restore(_ session: MenuSession) -> [Effect] {
        let wasMouseOn = isMouseOn
        (chosenTheme, chosenMouse) = (session.theme, session.mouse)
        showTheme()
        (list.chosenOrder, list.folded) = (session.order, session.folded)
        list.dropStickyRows()
        list.pins = session.pins.uniqued
        if let key = session.selectedKey { list.selectedKey = FlagText(key) }
        rebuildList()
        return isMouseOn == wasMouseOn ? [] : [.setMouse(isMouseOn)]
    }
}

extension [String] {
    /// The texts without duplicates, in order.
    fileprivate var uniqued: [String] {
        var seen: Set<FlagText> = []
        return filter { seen.insert(FlagText($0)).inserted }
    }
}
