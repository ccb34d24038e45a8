import FlagModel
import TerminalUI

/// A sheet over the list that has the keyboard: its state, its actions, and how it looks on a screen and in line mode.
///
/// A new sheet is a type here with its view, and a case of ``MenuState/Mode``.
protocol Sheet: Sendable, Equatable {
    /// Its parts of the menu, each with its actions.
    static var parts: [(part: MenuPart, actions: [Action])] { get }

    /// Its current part.
    var part: MenuPart { get }
    /// The mode in which it is open.
    var mode: MenuState.Mode { get }
    /// The flag of the sheet, if any.
    var flagKey: FlagText? { get }

    /// Moves within it.
    mutating func move(_ movement: Movement, in state: MenuState)
    /// Edits its line of text.
    mutating func edit(_ edit: LineEdit, in state: MenuState)
    /// Handles a key that is not an action here.
    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect]
    /// Replaces the text of its line, as line mode does.
    func write(_ text: String, in state: inout MenuState)
    /// Fits it to the screen, its subject and the current state: everything that the reducer needs of the layout, such
    /// as how many rows are in view, is stored in the sheet from here on.
    mutating func layOut(in state: MenuState)

    /// Draws it and returns the cursor position.
    func draw(in state: MenuState, on frame: inout Frame) -> Position?
    /// Its areas for the mouse.
    func mouseTargets(in state: MenuState) -> [MouseTarget.Area]
    /// Its lines in line mode.
    func printed(in state: MenuState) -> LineModeSheet
}

extension Sheet {
    var flagKey: FlagText? { nil }
    mutating func move(_ movement: Movement, in state: MenuState) {}
    mutating func edit(_ edit: LineEdit, in state: MenuState) {}
    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] { [] }
    func write(_ text: String, in state: inout MenuState) {}
    mutating func layOut(in state: MenuState) {}
    func mouseTargets(in state: MenuState) -> [MouseTarget.Area] { [] }
}

extension MenuState {
    /// The open sheet, if it is of this type.
    func sheet<Open: Sheet>(_ type: Open.Type) -> Open? { mode.sheet as? Open }

    /// Changes the open sheet, if it is of this type.
    mutating func changeSheet<Open: Sheet>(_ type: Open.Type, _ change: (inout Open) -> Void) {
        guard var sheet = sheet(type) else { return }
        change(&sheet)
        mode = sheet.mode
    }

    /// Moves in the open sheet or list.
    mutating func move(_ movement: Movement) -> [Effect] {
        guard var sheet = mode.sheet else { return moveInList(movement) }
        sheet.move(movement, in: self)
        mode = sheet.mode
        return []
    }

    /// Edits the open line of text.
    mutating func edit(_ edit: LineEdit) -> [Effect] {
        guard var sheet = mode.sheet else {
            editFilter { $0.edit(edit) }
            return []
        }
        sheet.edit(edit, in: self)
        mode = sheet.mode
        return []
    }

    /// Closes the sheet.
    mutating func closeSheet() -> [Effect] {
        mode = .list
        return []
    }
}
