import FlagModel
import TerminalUI

// Copying: the key, the value, the command that does it, or a text that is shown.
extension MenuState {
    mutating func openCopySheet() {
        guard let flag = selected else { return }
        mode = .copy(CopySheet(key: FlagText(flag.key)))
    }

    mutating func performInCopy(_ intent: Intent) -> [Effect] {
        guard case .copy(var sheet) = mode else { return [] }
        switch intent {
        case .accept: return copy(CopySheet.entries[sheet.selection])
        case .copyKey, .copyValue, .copyCommand, .copyLastCommand: return copy(intent)
        default:
            guard let selection = intent.index(after: sheet.selection, of: CopySheet.entries.count) else {
                return closeSheet()
            }
            sheet.selection = selection
            mode = .copy(sheet)
            return []
        }
    }

    private mutating func copy(_ entry: Intent) -> [Effect] {
        guard let text = text(toCopy: entry) else {
            if let obstacle = obstacle(toCopying: entry) { say(obstacle, .refusal) }
            return []
        }
        mode = .list
        return [.copy(id: makeRequestID(), text, what: entry.copiedThing)]
    }

    /// What an entry of the copy sheet stands for; `nil` where there is nothing.
    func text(toCopy entry: Intent) -> String? {
        guard case .copy(let sheet) = mode else { return nil }
        let flag = facts(of: sheet.key)
        switch entry {
        case .copyKey: return flag.key
        case .copyValue: return flag.value
        case .copyCommand: return commandToReproduce(flag).text
        case .copyLastCommand: return ShellCommand.text(lastCommands)
        default: return nil
        }
    }

    /// Why an entry of the copy sheet cannot be copied, as a sentence.
    func obstacle(toCopying entry: Intent) -> String? {
        guard text(toCopy: entry) == nil else { return nil }
        switch entry {
        case .copyValue: return "No layer has a value for this flag."
        case .copyLastCommand where lastCommands.isEmpty: return "Nothing was changed here yet."
        default: return Self.unspeakable
        }
    }

    /// Says what was copied, and through what: a terminal never tells whether it took it.
    mutating func sayCopied(_ text: String, _ what: String, _ answer: ClipboardAnswer) {
        let shown = JSONOutput.quoted(text, limit: 200)
        switch answer {
        case .sent: say("Copied the \(what) through the terminal (OSC 52): \(shown)")
        case .sentToTmux: say("Copied the \(what) through tmux (OSC 52; needs set-clipboard on): \(shown)")
        case .tooLong(let limit):
            say("Not copied: the \(what) has more than the \(limit) bytes that terminals take.", .refusal)
        case .unsupported: say("Not copied: this terminal has no way to copy (OSC 52). The \(what): \(shown)", .refusal)
        }
    }
}

extension Intent {
    /// What is copied, in a sentence.
    var copiedThing: String {
        switch self {
        case .copyKey: "key"
        case .copyValue: "value"
        case .copyCommand: "command"
        case .copyLastCommand: "last command"
        default: "text"
        }
    }
}
