import FlagModel
import FlagQueries
import TerminalUI

/// The sheet that copies the key, the value or a command of a flag, or a bug report.
struct CopySheet: Equatable {
    /// An entry of the sheet. The raw value is its label, also used in sentences about the copied text.
    enum Entry: String, Sendable, CaseIterable {
        case key, value, command
        case lastCommand = "last command"
        case bugReport = "bug report"
        case sharedState = "shared state"

        /// The id of the entry's action, such as `copyLastCommand`.
        var id: Action.ID {
            Action.ID(rawValue: "copy" + rawValue.split(separator: " ").map { String($0).capitalized }.joined())
        }
    }

    let key: FlagText
    /// The index of the selected entry.
    var selection = 0

    init(_ flag: FlagFacts) { key = FlagText(flag.key) }
}

extension CopySheet: ListSheet {
    static let part = MenuPart(id: "copy", heading: "In the copy sheet")

    static let actions: [Action] =
        [
            entry(.key, "k", "Copy the flag's key."), entry(.value, "v", "Copy the value in use."),
            entry(.command, "c", "Copy the command for the flag's state."),
            entry(.lastCommand, "l", "Copy the command for the last action."),
            entry(.bugReport, "b", "Copy all changes for a bug report, as Markdown."),
            entry(.sharedState, "s", "Copy overrides and conditions as one string."),
            action(.accept, [.enter], help: "Copy the selected entry.") {
                $0.copy(Entry.allCases[$0.selection], in: &$1)
            },
            closing([.escape, "q", "y"], help: "Close the sheet and copy nothing."),
        ] + movements("entry", up: [.up, .control("p")])

    private static func entry(_ entry: Entry, _ key: KeyPress, _ help: String) -> Action {
        action(
            entry.id, [key], label: entry.rawValue, help: help,
            disabledReason: { sheet, state in
                let content = sheet.content(of: entry, in: state)
                return content.text == nil ? content.missingReason : nil
            }
        ) { $0.copy(entry, in: &$1) }
    }

    /// Why a command with the character NUL cannot be copied.
    static let nulReason = "The command contains the character NUL, which shells cannot pass."

    func choices(in state: MenuState) -> [Entry] { Entry.allCases }

    private func copy(_ entry: Entry, in state: inout MenuState) -> [Effect] {
        let content = content(of: entry, in: state)
        guard let text = content.text else { return state.show(content.missingReason, .rejection) }
        let shared = state.sharedChanges
        let isShared = entry == .sharedState || entry == .bugReport && shared.entries.changeCount > 0
        let id = state.makeRequestID()
        return state.closeSheet() + [
            isShared
                ? .share(id: id, shared, report: entry == .bugReport ? text : nil)
                : .copy(id: id, text, what: entry.rawValue)
        ]
    }

    /// The text that an entry copies; if there is none, why, as a sentence.
    private func content(of entry: Entry, in state: MenuState) -> (text: String?, missingReason: String) {
        let flag = state.facts(of: key)
        return switch entry {
        case .key: (flag.key, "")
        case .value: (flag.value, "No layer has a value for this flag.")
        case .command: (state.commands.reproducing(flag).text, Self.nulReason)
        case .lastCommand where state.lastCommands.isEmpty: (nil, "No changes here yet.")
        case .lastCommand: (ShellCommand.text(state.lastCommands), Self.nulReason)
        case .bugReport: (BugReport(state: state).text, "")
        case .sharedState:
            (
                state.sharedChanges.entries.changeCount == 0 ? nil : state.sharedChanges.sentence,
                "Nothing to share. \(state.sharedChanges.leftOut.joined(separator: " "))"
            )
        }
    }

    func view(in state: MenuState) -> SheetList {
        let rows = Entry.allCases.enumerated().map { index, entry in
            let keyName = state.keymap.action(entry.id, in: part)?.keys.first?.displayName(charset: state.charset)
            let content = content(of: entry, in: state)
            let line = StyledLine(
                DisplayText.padded(keyName ?? "", to: 3, charset: state.charset), state.theme.key
            ).adding(DisplayText.padded(entry.rawValue, to: 14))
                .adding(
                    content.text?.orQuotes ?? content.missingReason,
                    content.text == nil ? state.theme.faint : state.theme.plain)
            return SheetList.Row(entry: index, line: line)
        }
        return SheetList(
            state, title: "Copy \(state.charset.separator) \(state.facts(of: key).name)",
            columns: min(76, state.size.columns - 4), rows: rows, selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        let choices = Entry.allCases.map { entry in
            let content = content(of: entry, in: state)
            return "\(entry.rawValue): \(content.text ?? content.missingReason)"
        }
        return LineModeSheet(numbering: choices, prompt: "Copy: ")
    }
}

extension ClipboardReply {
    /// The text and how it was sent to the clipboard, as terminals do not confirm a copy; or why it was not sent.
    ///
    /// - Parameter what: a word for the text, such as `key`.
    func message(about text: String, _ what: String) -> MenuMessage {
        let quoted = JSONOutput.quoted(text, limit: 200)
        return switch self {
        case .sent: MenuMessage("Copied the \(what) through the terminal (OSC 52): \(quoted)")
        case .sentToTmux: MenuMessage("Copied the \(what) through tmux (OSC 52; needs set-clipboard on): \(quoted)")
        case .tooLong(let limit):
            MenuMessage("Not copied: the \(what) has more than the terminal limit of \(limit) bytes.", .rejection)
        case .unsupported:
            MenuMessage("Not copied: this terminal cannot copy (OSC 52). The \(what): \(quoted)", .rejection)
        }
    }
}
