import FlagModel
import FlagQueries
import TerminalUI

// Choosing flags, entries and actions without keys: by the mouse, if it is on, and in line mode. Everything that the
// mouse can do can also be done with keys.
extension MenuState {
    /// The number of flags per step of the wheel, the same as in most terminal programs.
    private static let wheelStep = 3

    /// Handles a mouse click or a step of the mouse wheel.
    mutating func handleMouse(_ mouse: MousePress) -> [Effect] {
        guard settings.isMouseOn, !layout.isTooSmall else { return [] }
        switch mouse.kind {
        case .wheelUp: return turnWheel(-1)
        case .wheelDown: return turnWheel(1)
        case .press: return mouseTarget(at: mouse.position).map { press(on: $0) } ?? []
        }
    }

    private mutating func turnWheel(_ direction: Int) -> [Effect] {
        guard mode.sheet != nil else {
            return inList { $0.moveSelection { $0.row(direction * Self.wheelStep, from: $1) } }
        }
        return choose((direction > 0 ? Movement.down : .up).id, in: mode.part)
    }

    private mutating func press(on target: MouseTarget) -> [Effect] {
        switch target {
        case .key(let key): return press(key)
        case .flag(let row, let isSwitch):
            messages.current = nil
            mode = .list
            let wasSelected = row == list.selection
            list.select(row)
            if isSwitch { return choose(.toggle, in: .list) }
            return wasSelected ? choose(.open, in: .list) : []
        case .group(let row):
            messages.current = nil
            mode = .list
            return inList { list in list.rows[row].heading.map { list.changeFolding(of: $0) } }
        case .entry(let index): return press(onEntry: index)
        }
    }

    /// Handles a click on an entry of the open sheet: the first click selects the entry, the second chooses it.
    private mutating func press(onEntry index: Int) -> [Effect] {
        guard var sheet = mode.sheet as? any ListSheet else { return [] }
        if clickedEntry == index, sheet.selection == index { return choose(.accept, in: sheet.part) }
        clickedEntry = index
        sheet.select(index, in: self)
        mode = .sheet(sheet)
        return []
    }

    // Events of line mode, which chooses flags and actions without keys.

    /// Selects a flag. If the flag is not listed, shows a message.
    mutating func chooseFlag(_ key: FlagText) {
        messages.current = nil
        guard let row = list.row(of: key) else {
            show("\(key.string) is not listed now. Show all flags to find it.", .rejection)
            return
        }
        list.select(row)
    }

    /// Performs an action by its id.
    ///
    /// Does nothing if another part of the menu is open. Line mode sends several events in a row: if the first event
    /// fails, the following events must not act on another part.
    mutating func choose(_ id: Action.ID, in part: MenuPart) -> [Effect] {
        guard mode.part == part, let action = keymap.action(id, in: part) else { return [] }
        clearLast(before: id)
        return perform(action)
    }

    /// Replaces the text of the edited line.
    mutating func write(_ text: String) {
        inSheet { sheet, _ in sheet.write(text) }
        if mode == .filter {
            list.changeFilter { $0 = TextField() }
            typeInFilter(text)
        }
    }
}
