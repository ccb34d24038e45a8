import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// The sheet that copies the key, the value or a command of a flag.
    public static let copy = MenuPart(id: "copy", heading: "In the copy sheet", opener: .copy)
}

extension CopySheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] { [(.copy, actions + ActionTable.programAndHelp)] }

    private static let actions: [Action] = [
        entry(.key, "k", "Copy the flag's key."), entry(.value, "v", "Copy the value in use."),
        entry(.command, "c", "Copy the command for the flag's state."),
        entry(.lastCommand, "l", "Copy the command for the last action."),
        entry(.bugReport, "b", "Copy all overrides for a bug report, as Markdown."),
        Action(.accept, [.enter], help: "Copy the selected entry.") { state in
            state.sheet(CopySheet.self).map { state.copy(Entry.allCases[$0.selection]) } ?? []
        },
        Action(
            .cancel, [.escape, "q", "y"], label: "back", help: "Close the sheet and copy nothing.", .isWayOut,
            rank: .always
        ) { $0.closeSheet() },
        .moving(.down, [.down, .control("n")], help: "Move to the next entry."),
        .moving(.up, [.up, .control("p")], help: "Move to the previous entry."),
    ]

    private static func entry(_ entry: Entry, _ key: KeyPress, _ help: String) -> Action {
        Action(
            entry.id, [key], label: entry.label, help: help, disabledReason: { $0.disabledReason(toCopying: entry) }
        ) { $0.copy(entry) }
    }

    var part: MenuPart { .copy }
    var mode: MenuState.Mode { .copy(self) }
    var flagKey: FlagText? { key }

    mutating func move(_ movement: Movement, in state: MenuState) {
        selection = movement.index(after: selection, of: Entry.allCases.count)
    }
}

// Copying the key, the value, an equivalent command, or a bug report.
extension MenuState {
    mutating func openCopySheet() -> [Effect] {
        if let flag = currentFlag { mode = .copy(CopySheet(key: FlagText(flag.key))) }
        return []
    }

    fileprivate mutating func copy(_ entry: CopySheet.Entry) -> [Effect] {
        guard let text = text(toCopy: entry) else {
            if let reason = disabledReason(toCopying: entry) { show(reason, .rejection) }
            return []
        }
        mode = .list
        return [.copy(id: makeRequestID(), text, what: entry.label)]
    }

    /// The text that an entry of the copy sheet copies; `nil` if there is none.
    func text(toCopy entry: CopySheet.Entry) -> String? {
        guard let flag = sheet(CopySheet.self).map({ facts(of: $0.key) }) else { return nil }
        switch entry {
        case .key: return flag.key
        case .value: return flag.value
        case .command: return commandToReproduce(flag).text
        case .lastCommand: return ShellCommand.text(lastCommands)
        case .bugReport: return bugReport
        }
    }

    /// Why an entry of the copy sheet cannot be copied, as a sentence; `nil` if it can.
    func disabledReason(toCopying entry: CopySheet.Entry) -> String? {
        guard text(toCopy: entry) == nil else { return nil }
        switch entry {
        case .value: return "No layer has a value for this flag."
        case .lastCommand where lastCommands.isEmpty: return "No changes here yet."
        case .key, .command, .lastCommand, .bugReport: return Self.nulReason
        }
    }

    /// Shows the text and how it was sent to the clipboard, as terminals do not confirm a copy; or why it was not sent.
    ///
    /// - Parameter what: a word for the text, such as `key`.
    mutating func showCopied(_ text: String, _ what: String, _ result: ClipboardReply) {
        let quotedText = JSONOutput.quoted(text, limit: 200)
        switch result {
        case .sent: show("Copied the \(what) through the terminal (OSC 52): \(quotedText)")
        case .sentToTmux: show("Copied the \(what) through tmux (OSC 52; needs set-clipboard on): \(quotedText)")
        case .tooLong(let limit):
            show("Not copied: the \(what) has more than the terminal limit of \(limit) bytes.", .rejection)
        case .unsupported:
            show("Not copied: this terminal cannot copy (OSC 52). The \(what): \(quotedText)", .rejection)
        }
    }
}
