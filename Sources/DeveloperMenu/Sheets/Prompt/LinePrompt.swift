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
        /// The value of a member of a source's context.
        case contextValue(source: String, name: String)
        /// A new member of a source's context, with its value.
        case contextMember(source: String)
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
    /// The path of an existing file; Enter on the same path again replaces the file.
    var existingFile: String?
    /// The pending request for the file, document or source that the text names; `nil` if none is pending.
    var request: RequestID?
    /// The pending request for path completions; `nil` if none is pending.
    var completion: RequestID?
    /// The mode to restore when the prompt closes.
    let behind: MenuMode

    init(
        _ purpose: Purpose, text: String = "", suggestions: [(text: String, note: String)] = [],
        over behind: MenuMode = .list
    ) {
        (self.purpose, self.behind, field) = (purpose, behind, TextField(text))
        self.suggestions = suggestions.map(Suggestion.init)
    }

    /// Sets the text to the next suggestion.
    ///
    /// - Parameter direction: 1 for the suggestion below the current one, -1 for the one above.
    mutating func suggest(_ direction: Int) {
        guard !suggestions.isEmpty else { return }
        let next = selection.map { $0 + direction } ?? (direction > 0 ? 0 : suggestions.count - 1)
        let index = max(0, min(next, suggestions.count - 1))
        (selection, field, error) = (index, TextField(suggestions[index].text), nil)
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

extension LinePrompt.Purpose {
    /// Whether the text is a path, so that it can be completed.
    var takesPath: Bool {
        switch self {
        case .export, .importing, .open: true
        case .value, .contextValue, .contextMember: false
        }
    }
}
