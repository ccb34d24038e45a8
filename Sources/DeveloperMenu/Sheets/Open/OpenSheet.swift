import FlagModel
import FlagQueries
import TerminalUI

/// The sheet to open another document, source or app in place of the current one.
struct OpenSheet: Equatable {
    /// The choices; `nil` while they are looked up.
    var choices: [OpenChoice]?
    /// The index of the selected choice.
    var selection = 0
    /// Why the chosen entry cannot be opened, as a sentence.
    var error: String?
    /// The pending request for the choices or, later, to open one of the choices; `nil` if no request is pending.
    var request: RequestID?
}

extension OpenSheet: ListSheet {
    static let part = MenuPart(id: "open", heading: "In the open sheet")

    static let actions: [Action] =
        [
            action(.accept, [.enter, " "], label: "open", help: "Open the selected entry; 1 to 9 open by number.") {
                $0.open(in: &$1)
            },
            action("openPath", ["e"], label: "path", help: "Enter a path, or a source such as ofrep:URL.") {
                $1.open(LinePrompt(.open, over: $1.mode))
            },
            action(
                .cancel, [.escape, "q"], label: "back", help: "Close the sheet and open nothing; at the start, quit.",
                .isWayOut, rank: .always, currentLabel: { $1.target.isNone ? "quit" : nil }
            ) { $1.target.isNone ? $1.leave(.left) : $1.closeSheet() },
        ] + movements("entry")

    var isWaiting: Bool { request != nil }
    func choices(in state: MenuState) -> [OpenChoice] { choices ?? [] }

    mutating func select(_ index: Int, in state: MenuState) { (selection, error) = (index, nil) }

    mutating func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        selectNumber(typedAs: key, in: &state) ? open(in: &state) : []
    }

    private mutating func open(in state: inout MenuState) -> [Effect] {
        guard let choice = selected(in: state) else { return [] }
        guard !choice.isOpen else { return state.closeSheet() }
        let id = state.makeRequestID()
        (request, error) = (id, nil)
        state.show("Opening \(choice.name).")
        return [.open(id: id, choice.target)]
    }

    mutating func receive(_ event: Event, in state: inout MenuState) -> [Effect]? {
        guard case .open(let id, let event) = event, id == request else { return nil }
        request = nil
        switch event {
        case .listed(let choices):
            self.choices = choices
            selection = choices.firstIndex { !$0.isOpen } ?? 0
        case .opened(let target): return state.reopen(on: target)
        case .refused(let reason):
            error = reason
            state.dropTypeAhead()
        }
        return []
    }

    func view(in state: MenuState) -> SheetList {
        let columns = min(72, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        return SheetList(
            state, title: "Open", columns: columns,
            above: error.map { text.lines(of: $0, atMost: 3, state.theme.error) } ?? [],
            rows: SheetList.rows(
                (choices ?? []).map { ($0.name, $0.shownNote) }, columns: columns, numbered: true, state),
            selection: selection, empty: choices == nil ? "Reading." : "")
    }

    func printed(in state: MenuState) -> LineModeSheet {
        guard let choices else { return LineModeSheet(lines: ["Reading."]) }
        let path = "\(state.keyName(of: "openPath", in: part)) asks for a path"
        return LineModeSheet(
            before: [error ?? "What to open:"], numbering: choices.map { "\($0.name), \($0.shownNote)." },
            after: ["A number opens it, \(path), Enter \(state.target.isNone ? "quits" : "goes back")."],
            prompt: "Open: ")
    }
}

extension OpenChoice {
    fileprivate var shownNote: String { isOpen ? "\(note), open now" : note }
}

extension MenuState {
    mutating func openOther() -> [Effect] {
        let id = makeRequestID()
        return open(OpenSheet(request: id)) + [.listOpenChoices(id: id)]
    }

    /// Why the menu cannot open other documents, sources or apps; `nil` if it can.
    var openReason: String? {
        opensOthers ? nil : "This menu is part of \(target.app); flagmenu opens other apps."
    }

    /// Closes this menu, so that the next one opens on a target.
    mutating func reopen(on target: OpenTarget) -> [Effect] {
        mode = .list
        let effects = leave(.reopened(target))
        if ending == nil { typeAhead = [] }
        return effects
    }

    /// Clears the message "Opening", and the keys typed since then, as the user meant these keys for the new menu.
    mutating func dropTypeAhead() { (messages.current, typeAhead) = (nil, []) }
}
