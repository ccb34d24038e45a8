import FlagModel
import TerminalUI

/// A sheet over the list that receives the keys: its state, its actions, and its appearance on a screen and in line
/// mode.
///
/// To add a sheet, add a type and its part to this folder, and its name to ``MenuMode/sheets``.
protocol Sheet: Sendable, Equatable {
    /// The part of the menu that the sheet is; of several, the first.
    static var part: MenuPart { get }
    /// The actions of that part that are its own.
    static var actions: [Action] { get }
    /// Every part of the menu that the sheet is, each with all its actions.
    static var parts: [(part: MenuPart, actions: [Action])] { get }

    /// The part whose actions work in the sheet's current state.
    var part: MenuPart { get }
    /// Whether the sheet waits for the response to a request.
    var isWaiting: Bool { get }

    /// Moves the selection, or scrolls.
    mutating func move(_ movement: Movement, in state: MenuState)
    /// Edits the sheet's line of text.
    mutating func edit(_ edit: LineEdit, in state: MenuState)
    /// Handles a key that is not assigned to an action of the sheet, such as a typed character.
    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect]
    /// Replaces the sheet's line of text with a text that was entered in line mode.
    mutating func write(_ text: String)
    /// Handles an event of another origin than the keyboard, such as the response to a request of the sheet.
    ///
    /// - Returns: the effects; `nil` if the menu handles the event.
    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]?
    /// Updates the sheet after flags, overrides or contexts have changed. A sheet without content closes.
    mutating func update(in state: inout MenuState)
    /// Fits the sheet to the screen and the current state. Stores everything that the reducer needs from the layout,
    /// such as the number of rows in view, in the sheet.
    mutating func layOut(in state: MenuState)

    /// The sheet as it is drawn.
    func view(in state: MenuState) -> SheetList
    /// Draws the sheet and returns the cursor position, if there is a cursor.
    func draw(in state: MenuState, on frame: inout Frame) -> Position?
    /// The areas of the sheet that react to the mouse.
    func mouseTargets(in state: MenuState) -> [MouseTarget.Area]
    /// The sheet's lines, choices and prompt in line mode.
    func printed(in state: MenuState) -> LineModeSheet
}

extension Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(part, actions + ActionTable.programAndHelp)] }
    var part: MenuPart { Self.part }
    var isWaiting: Bool { false }
    mutating func move(_ movement: Movement, in state: MenuState) {}
    mutating func edit(_ edit: LineEdit, in state: MenuState) {}
    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] { [] }
    mutating func write(_ text: String) {}
    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? { nil }
    mutating func update(in state: inout MenuState) {}
    mutating func layOut(in state: MenuState) {}
    func draw(in state: MenuState, on frame: inout Frame) -> Position? { view(in: state).draw(on: &frame) }
    func mouseTargets(in state: MenuState) -> [MouseTarget.Area] { view(in: state).areas }

    /// Whether this is the same sheet in the same state.
    func isEqual(to other: any Sheet) -> Bool { other as? Self == self }

    /// An action of the sheet: its closures receive the open sheet.
    static func action(
        _ id: Action.ID, _ keys: [KeyPress], label: String? = nil, help: String, _ traits: Action.Traits = [],
        rank: Action.FooterRank = .other,
        currentLabel: @escaping @Sendable (Self, MenuState) -> String? = { _, _ in nil },
        isOffered: @escaping @Sendable (Self, MenuState) -> Bool = { _, _ in true },
        disabledReason: @escaping @Sendable (Self, MenuState) -> String? = { _, _ in nil },
        perform: @escaping @Sendable (inout Self, inout MenuState) -> [Effect]
    ) -> Action {
        Action(
            id, keys, label: label, help: help, traits, rank: rank,
            currentLabel: { state in state.sheet(Self.self).flatMap { currentLabel($0, state) } },
            isOffered: { state in state.sheet(Self.self).map { isOffered($0, state) } ?? true },
            disabledReason: { state in state.sheet(Self.self).flatMap { disabledReason($0, state) } }
        ) { state in
            state.inSheet { sheet, state in
                guard var own = sheet as? Self else { return [] }
                defer { sheet = own }
                return perform(&own, &state)
            } ?? []
        }
    }

    /// The action that leaves the sheet, by default by closing it.
    static func closing(
        _ keys: [KeyPress], label: String = "back", help: String,
        perform: @escaping @Sendable (inout Self, inout MenuState) -> [Effect] = { $1.closeSheet() }
    ) -> Action {
        action(.cancel, keys, label: label, help: help, .isWayOut, rank: .always, perform: perform)
    }
}

/// A sheet with entries to choose from.
protocol ListSheet: Sheet {
    associatedtype Entry
    /// The index of the selected entry.
    var selection: Int { get set }
    /// The entries to choose from.
    func choices(in state: MenuState) -> [Entry]
    /// Selects an entry, which the user has moved to.
    mutating func select(_ index: Int, in state: MenuState)
}

extension ListSheet {
    mutating func select(_ index: Int, in state: MenuState) { selection = index }

    /// The selected entry; `nil` if there is none.
    func selected(in state: MenuState) -> Entry? {
        let choices = choices(in: state)
        return choices.indices.contains(selection) ? choices[selection] : nil
    }

    mutating func move(_ movement: Movement, in state: MenuState) {
        let page = max(1, SheetFrame.room(on: state.size) - 3)
        select(movement.index(after: selection, of: choices(in: state).count, page: page), in: state)
    }

    /// Selects the entry with the number of a typed digit. A message says how many there are if there is none.
    ///
    /// - Returns: whether there is one.
    mutating func selectNumber(typedAs key: KeyPress, in state: inout MenuState) -> Bool {
        guard case .character(let character) = key, let number = character.wholeNumberValue, number > 0 else {
            return false
        }
        let count = choices(in: state).count
        if number > count { state.show("There are only \(count).", .rejection) } else { select(number - 1, in: state) }
        return number <= count
    }

    /// The actions that move the selection.
    ///
    /// - Parameters:
    ///   - noun: an entry, in the help of the actions.
    ///   - takesText: whether letters are typed into the sheet, so that they cannot be keys.
    ///   - up: the keys that move up, unless letters are typed.
    static func movements(
        _ noun: String, takesText: Bool = false, up: [KeyPress] = [.up, "k", .control("p")]
    ) -> [Action] {
        let down: [KeyPress] = takesText ? [.down, .control("n"), .tab] : [.down, "j", .control("n")]
        let up = takesText ? [.up, .control("p"), .backTab] : up
        let paging: [Action] = [
            .moving(.down, down, label: takesText ? "next" : nil, help: "Move to the next \(noun)."),
            .moving(.up, up, help: "Move to the previous \(noun)."),
            .moving(.pageDown, [.pageDown], help: "Move one page down."),
            .moving(.pageUp, [.pageUp], help: "Move one page up."),
        ]
        // In a line of text, these keys move the cursor.
        if takesText { return paging }
        return paging + [
            .moving(.first, [.home, "g"], help: "Move to the first \(noun)."),
            .moving(.last, [.end, "G"], help: "Move to the last \(noun)."),
        ]
    }
}

/// A sheet with entries that a line of text filters.
protocol FilteredSheet: ListSheet {
    /// The text of the filter.
    var filter: TextField { get set }
    /// Lists the entries that match the filter.
    mutating func applyFilter()
}

extension FilteredSheet {
    /// Changes the text. If another text results, its first match is selected.
    mutating func changeFilter(_ change: (inout TextField) -> Void) {
        let oldText = filter.text
        change(&filter)
        guard filter.text != oldText else { return }
        selection = 0
        applyFilter()
    }

    mutating func edit(_ edit: LineEdit, in state: MenuState) { changeFilter { $0.edit(edit) } }

    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        guard part.takesText, let text = key.typedText else { return [] }
        var isWhole = true
        changeFilter { isWhole = $0.insert(text, limit: FlagList.filterLimit) }
        if !isWhole { state.showFilterIsFull() }
        return []
    }

    mutating func write(_ text: String) { changeFilter { $0 = TextField(String(text.prefix(FlagList.filterLimit))) } }
}

/// A sheet of lines that scroll.
protocol ScrollingSheet: Sheet {
    /// The scroll position.
    var scrolled: ScrolledLines { get set }
}

extension ScrollingSheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        [(part, actions + scrolling + ActionTable.programAndHelp)]
    }

    mutating func move(_ movement: Movement, in state: MenuState) { scrolled = scrolled.moved(movement) }

    mutating func layOut(in state: MenuState) { scrolled = view(in: state).shown }

    static var scrolling: [Action] {
        func scroll(_ movement: Movement, _ keys: [KeyPress], label: String? = nil, _ help: String) -> Action {
            .moving(movement, keys, label: label, help: help) { state in
                state.sheet(Self.self)?.scrolled.canScroll ?? true ? nil : "All of it is in view."
            }
        }
        return [
            scroll(.down, [.down, "j"], label: "scroll", "Scroll down."), scroll(.up, [.up, "k"], "Scroll up."),
            scroll(.pageDown, [.pageDown, " "], "Scroll one page down."),
            scroll(.pageUp, [.pageUp], "Scroll one page up."),
            scroll(.first, [.home, "g"], "Go to the first line."), scroll(.last, [.end, "G"], "Go to the last line."),
        ]
    }
}

extension MenuState {
    /// The open sheet, if it has the given type.
    func sheet<Open: Sheet>(_ type: Open.Type) -> Open? { mode.sheet as? Open }

    /// Lets the open sheet change itself and the menu. A sheet that has closed or opened another one is not put back.
    @discardableResult
    mutating func inSheet<Result>(_ change: (inout any Sheet, inout MenuState) -> Result) -> Result? {
        guard case .sheet(var sheet) = mode else { return nil }
        let opened = mode
        let result = change(&sheet, &self)
        if mode == opened { mode = .sheet(sheet) }
        return result
    }

    /// Moves the selection or scrolls, in the open sheet or in the list.
    mutating func move(_ movement: Movement) -> [Effect] {
        guard mode.sheet != nil else { return inList { $0.move(movement) } }
        inSheet { sheet, state in sheet.move(movement, in: state) }
        return []
    }

    /// Edits the line of text of the open sheet or, without one, the filter line.
    mutating func edit(_ edit: LineEdit) -> [Effect] {
        if mode.sheet == nil { list.editFilter(by: edit) }
        inSheet { sheet, state in sheet.edit(edit, in: state) }
        return []
    }

    /// Opens a sheet.
    mutating func open(_ sheet: some Sheet) -> [Effect] {
        mode = .sheet(sheet)
        return []
    }

    /// Opens a sheet about the selected flag, if there is one.
    mutating func openOnSelected<Flag: Sheet>(_ sheet: (FlagFacts) -> Flag) -> [Effect] {
        selected.map { open(sheet($0)) } ?? []
    }

    /// Closes the sheet and returns to the mode in which it was opened.
    @discardableResult
    mutating func closeSheet(backTo behind: MenuMode = .list) -> [Effect] {
        mode = behind
        // What the sheet behind shows may have changed or gone meanwhile.
        updateSheet()
        return []
    }

    /// The keys that confirm and cancel a dialog, each before its word; without a word, nothing can be confirmed.
    func dialogKeys(_ yes: String?, _ no: String, in part: MenuPart) -> StyledLine {
        let yes = yes.map { StyledLine(keyName(of: .accept, in: part), theme.key).adding(" \($0)") }
        return (yes ?? StyledLine()).adding(keyName(of: .cancel, in: part), theme.key).adding(" \(no)")
    }

    /// Updates the open sheet after flags, overrides or contexts have changed.
    mutating func updateSheet() {
        inSheet { sheet, state in sheet.update(in: &state) }
    }
}
