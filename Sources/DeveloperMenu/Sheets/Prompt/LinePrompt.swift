import FlagModel
import FlagQueries
import TerminalUI

/// A prompt for the input of an action on one line, with suggestions if there are any.
struct LinePrompt: Sendable, Equatable {
    /// The purpose of a prompt.
    enum Purpose: Equatable {
        /// The value to set flags to.
        case value(of: BulkTargets)
        /// The file to export overrides to.
        case export
        /// The file to import overrides from, and whether to remove overrides that the file does not name.
        case importing(replacing: Bool)
        /// The value of a member of a source's context or, without a name, a new member with its value.
        case member(source: String, name: String?)
        /// The new name of a scenario or, without one, the name under which the changes, or those of a shared state,
        /// are saved.
        case scenario(renaming: String?, of: ScenarioFile? = nil)
        /// The document or the source to open.
        case open
    }

    /// A text that the user can choose instead of typing.
    struct Suggestion: Equatable {
        let text: String
        let note: String
    }

    /// The purpose of the prompt.
    let purpose: Purpose
    /// The suggestions; for a path, the completions.
    var suggestions: [Suggestion]
    /// The typed text.
    var field: TextField
    /// The index of the suggestion that the text was set to; `nil` if the text was typed.
    var selection: Int?
    /// Why the text is not valid, as a sentence.
    var error: String?
    /// The path of an existing file, or the name of a scenario; Enter on the same text again replaces it.
    var existingFile: String?
    /// The pending request for the file, document or source that the text names; `nil` if none is pending.
    var request: RequestID?
    /// The pending request for path completions; `nil` if none is pending.
    var completion: RequestID?
    /// The mode to restore when the prompt closes.
    let behind: MenuMode

    init(_ purpose: Purpose, text: String = "", suggestions: [Suggestion] = [], over behind: MenuMode = .list) {
        (self.purpose, self.suggestions, self.behind, field) = (purpose, suggestions, behind, TextField(text))
    }

    /// Changes the text, and clears the error and completions of the old text.
    mutating func change(_ change: (inout TextField) -> Void) {
        let oldText = field.text
        change(&field)
        guard field.text != oldText else { return }
        (selection, error, completion) = (nil, nil, nil)
        if purpose.takesPath { suggestions = [] }
    }

    /// Completes the text to the common prefix of all paths; suggests the paths if there are several.
    mutating func complete(with paths: [String]) {
        completion = nil
        guard !paths.isEmpty else {
            if !field.text.isEmpty { error = "No path begins like this." }
            return
        }
        // Without a text, the paths are only suggested.
        if !field.text.isEmpty {
            change { $0 = TextField(paths.commonPrefix()) }
            guard paths.count > 1 else { return }
        }
        suggestions = paths.map { Suggestion(text: $0, note: $0.hasSuffix("/") ? "folder" : "") }
    }
}

// The view of a prompt: an instruction or an error, the line of text, and the suggestions.
extension LinePrompt {
    func view(in state: MenuState) -> SheetList {
        let columns = min(72, state.size.columns - 4)
        let text = WrappedText(columns: columns, charset: state.charset)
        let words =
            error.map { text.lines(of: $0, atMost: 3, state.theme.error) }
            ?? text.lines(of: purpose.words.instruction, atMost: 1, state.theme.faint)
        return SheetList(
            state, title: purpose.words.title, columns: columns, above: words, field: .init(sign: ">", text: field),
            rows: SheetList.rows(suggestions.map { ($0.text, $0.note) }, columns: columns, state),
            selection: selection)
    }

    func printed(in state: MenuState) -> LineModeSheet {
        // On a screen, pressing Enter again confirms; in line mode, the same name has to be typed again.
        let message = existingFile.map { "\($0) exists. The same name again replaces it." } ?? error
        let lines = ["\(message ?? purpose.words.instruction) Enter alone goes back."]
        return LineModeSheet(
            lines: lines + suggestions.map { "\(FlagSentences.stored($0.text)), \($0.note)." },
            prompt: purpose.words.prompt)
    }
}

extension LinePrompt.Purpose {
    /// Whether the text is a path, so that it can be completed.
    var takesPath: Bool {
        switch self {
        case .export, .importing, .open: true
        case .value, .member, .scenario: false
        }
    }

    /// The title of the sheet, what to type as a sentence, and the prompt of line mode.
    fileprivate var words: (title: String, instruction: String, prompt: String) {
        switch self {
        case .value(let targets):
            let count = targets.keys.count
            let flags = targets.areMarked ? "the \(count) marked flags" : count.counted("flag")
            let folded = targets.foldedCount.counted("folded flag is", "folded flags are")
            let instruction =
                targets.foldedCount == 0
                ? "The value; the list is shown before anything changes." : "The value; \(folded) left out."
            return ("Set \(flags) to", instruction, "Value: ")
        case .export: return ("Export overrides", "The file to write, as a JSON object of keys and values.", "File: ")
        case .importing(let isReplacing):
            let title = isReplacing ? "Replace all overrides" : "Import overrides"
            return (title, "The file to read; the changes are shown before they are made.", "File: ")
        case .member(_, let name?): return (name, "The value; numbers, true and false keep their type.", "Value: ")
        case .member(_, nil):
            return ("Add a member", "The name, the sign = and the value, such as country=FR.", "Member: ")
        case .scenario(let old, _):
            let title = old.map { "Rename \($0)" } ?? "Save the changes as a scenario"
            return (title, "The name, of letters, digits, dots, hyphens and underscores.", "Name: ")
        case .open:
            return ("Open", "A document, or a source such as ofrep:https://flags.example.com.", "Path: ")
        }
    }
}
