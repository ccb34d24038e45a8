import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// The sheet to open another document, source or app.
    public static let open = MenuPart(id: "open", heading: "In the open sheet", opener: .openOther)
}

extension OpenSheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.open, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        Action(.accept, [.enter, " "], label: "open", help: "Open the selected entry; 1 to 9 open by number.") {
            state in state.sheet(OpenSheet.self)?.selected.map { state.open($0) } ?? []
        },
        Action("openPath", ["e"], label: "path", help: "Enter a path, or a source such as ofrep:URL.") {
            $0.promptForPath()
        },
        Action(
            .cancel, [.escape, "q"], label: "back", help: "Close the sheet and open nothing; at the start, quit.",
            .isWayOut, rank: .always, currentLabel: { $0.target.isNone ? "quit" : nil }
        ) { $0.target.isNone ? $0.leave(.left) : $0.closeSheet() },
        .moving(.down, [.down, "j", .control("n")], help: "Move to the next entry."),
        .moving(.up, [.up, "k", .control("p")], help: "Move to the previous entry."),
        .moving(.first, [.home, "g"], help: "Move to the first entry."),
        .moving(.last, [.end, "G"], help: "Move to the last entry."),
    ]

    var part: MenuPart { .open }
    var mode: MenuState.Mode { .open(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        selection = movement.index(after: selection, of: choices?.count ?? 0)
        error = nil
    }

    func type(_ key: KeyPress, in state: inout MenuState) -> [Effect] {
        guard case .character(let character) = key, let number = character.wholeNumberValue, number > 0, let choices
        else { return [] }
        guard number <= choices.count else {
            state.show("\(choices.count.thereAre("entry", "entries")).", .rejection)
            return []
        }
        return state.open(choices[number - 1])
    }
}

// Opening another document, source or app in place of the current one.
extension MenuState {
    mutating func openOther() -> [Effect] {
        let id = makeRequestID()
        mode = .open(OpenSheet(request: id))
        return [.listOpenChoices(id: id)]
    }

    /// Why the menu cannot open other documents, sources or apps; `nil` if it can.
    var openReason: String? {
        opensOthers ? nil : "This menu is part of \(target.app); flagmenu opens other apps."
    }

    fileprivate mutating func open(_ choice: OpenChoice) -> [Effect] {
        guard !choice.isOpen else { return closeSheet() }
        let id = makeRequestID()
        changeSheet(OpenSheet.self) { ($0.request, $0.error) = (id, nil) }
        show("Opening \(choice.name).")
        return [.open(id: id, choice.target)]
    }

    fileprivate mutating func promptForPath() -> [Effect] {
        var prompt = LinePrompt(.open)
        prompt.behind = mode
        mode = .prompt(prompt)
        return []
    }

    /// Whether the menu waits for the choices of ``OpenSheet``, or for a document, source or app to open.
    var isAwaitingOpen: Bool {
        sheet(OpenSheet.self)?.request != nil
            || sheet(LinePrompt.self).map { $0.purpose == .open && $0.isBusy } ?? false
    }

    /// Handles the choices of ``OpenSheet``, or the result of opening a choice. Ignores the event if the sheet or the
    /// prompt was closed meanwhile.
    mutating func receive(_ event: OpenEvent, _ id: RequestID) -> [Effect] {
        guard sheet(OpenSheet.self)?.request == id || sheet(LinePrompt.self)?.request == id else { return [] }
        switch event {
        case .listed(let choices): changeSheet(OpenSheet.self) { $0.show(choices) }
        case .opened(let target):
            mode = .list
            let effects = leave(.reopened(target))
            if ending == nil { typeAhead = [] }
            return effects
        case .refused(let reason):
            // Clears the message "Opening", and the keys typed since then, as the user meant these keys for the new
            // menu.
            (messages.current, typeAhead) = (nil, [])
            changeSheet(OpenSheet.self) { ($0.request, $0.error) = (nil, reason) }
            changeSheet(LinePrompt.self) { ($0.request, $0.error) = (nil, reason) }
        }
        return []
    }
}
