import FlagModel
import TerminalUI

/// A sheet over the list that receives the keys: its state, its actions, and its appearance on a screen and in line
/// mode.
///
/// To add a sheet, add a type with its view to this folder, and a case to ``MenuState/Mode``.
protocol Sheet: Sendable, Equatable {
    /// The parts of the menu that the sheet consists of, each with its actions.
    static var parts: [(part: MenuPart, actions: [Action])] { get }

    /// The part whose actions work in the sheet's current state.
    var part: MenuPart { get }
    /// The mode of the menu while this sheet is open.
    var mode: MenuState.Mode { get }
    /// The key of the flag that the sheet is about; `nil` if it is not about a single flag.
    var flagKey: FlagText? { get }

    /// Moves the selection, or scrolls.
    mutating func move(_ movement: Movement, in state: MenuState)
    /// Edits the sheet's line of text.
    mutating func edit(_ edit: LineEdit, in state: MenuState)
    /// Handles a key that is not assigned to an action of the sheet, such as a typed character.
    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect]
    /// Replaces the sheet's line of text with a text that was entered in line mode.
    func write(_ text: String, in state: inout MenuState)
    /// Fits the sheet to the screen and the current state. Stores everything that the reducer needs from the layout,
    /// such as the number of rows in view, in the sheet.
    mutating func layOut(in state: MenuState)

    /// Draws the sheet and returns the cursor position, if there is a cursor.
    func draw(in state: MenuState, on frame: inout Frame) -> Position?
    /// The areas of the sheet that react to the mouse.
    func mouseTargets(in state: MenuState) -> [MouseTarget.Area]
    /// The sheet's lines, choices and prompt in line mode.
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
    /// The open sheet, if it has the given type.
    func sheet<Open: Sheet>(_ type: Open.Type) -> Open? { mode.sheet as? Open }

    /// Changes the open sheet, if it has the given type.
    mutating func changeSheet<Open: Sheet>(_ type: Open.Type, _ change: (inout Open) -> Void) {
        guard var sheet = sheet(type) else { return }
        change(&sheet)
        mode = sheet.mode
    }

    /// Moves the selection or scrolls, in the open sheet or in the list.
    mutating func move(_ movement: Movement) -> [Effect] {
        guard var sheet = mode.sheet else { return moveInList(movement) }
        sheet.move(movement, in: self)
        mode = sheet.mode
        return []
    }

    /// Edits the line of text of the open sheet or, without one, the filter line.
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
