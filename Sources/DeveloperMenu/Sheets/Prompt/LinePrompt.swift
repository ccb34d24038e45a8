import TerminalUI

/// A line for the input of an action, with suggestions if there are any.
public struct LinePrompt: Sendable, Equatable {
    /// The purpose of the line.
    public enum Purpose: Sendable, Equatable {
        /// The value to set flags to.
        case value(of: BulkTargets)
        /// The file to export overrides to.
        case export
        /// The file to import overrides from, and whether to remove those that it does not name.
        case importing(replacing: Bool)
        /// The value of a member of a source's context.
        case contextValue(source: String, name: String)
        /// A new member of a source's context, with its value.
        case contextMember(source: String)
        /// The document or the source to open.
        case open
    }

    /// A text to choose instead of typing it.
    public struct Suggestion: Sendable, Equatable {
        /// The text.
        public let text: String
        /// A note on it.
        public let note: String
    }

    /// The purpose of the line.
    public let purpose: Purpose
    /// The suggestions; for a path, its completions.
    public internal(set) var suggestions: [Suggestion]
    /// The text for Enter.
    public internal(set) var field = TextField()
    /// The index of the suggestion that the text comes from.
    public internal(set) var selection: Int?
    /// Why the text is not valid, as a sentence.
    public internal(set) var refusal: String?
    /// An existing file; Enter on the same name again replaces it.
    public internal(set) var existingFile: String?

    /// The request for the named file; `nil` if it is neither being written nor read.
    var request: RequestID?
    /// `true` while the named file is being written or read.
    public var isBusy: Bool { request != nil }

    /// The request for path completions; `nil` if there is none.
    var completion: RequestID?

    /// The mode before it, which is restored afterwards.
    var behind = MenuState.Mode.list

    init(_ purpose: Purpose, suggestions: [Suggestion] = []) {
        self.purpose = purpose
        self.suggestions = suggestions
    }

    /// Uses a suggestion: the first, or the next one in a direction.
    mutating func suggest(_ direction: Int) {
        guard !suggestions.isEmpty else { return }
        let next = selection.map { $0 + direction } ?? (direction > 0 ? 0 : suggestions.count - 1)
        let index = max(0, min(next, suggestions.count - 1))
        selection = index
        field = TextField(suggestions[index].text)
        refusal = nil
    }

    /// Changes the text; its error and suggestions are cleared.
    mutating func change(_ change: (inout TextField) -> Void) {
        let before = field.text
        change(&field)
        guard field.text != before else { return }
        (selection, refusal, completion) = (nil, nil, nil)
        if purpose.takesPath { suggestions = [] }
    }

    /// Completes the text to the common prefix of all paths, and shows those.
    mutating func complete(with paths: [String]) {
        completion = nil
        guard !paths.isEmpty else {
            if !field.text.isEmpty { refusal = "No path begins like this." }
            return
        }
        // Without a text they are only shown.
        if !field.text.isEmpty {
            change { $0 = TextField(paths.commonPrefix()) }
            guard paths.count > 1 else { return }
        }
        suggestions = paths.map { Suggestion(text: $0, note: $0.hasSuffix("/") ? "folder" : "") }
    }
}

extension LinePrompt.Purpose {
    /// Whether the text is a path, which can be completed.
    var takesPath: Bool {
        switch self {
        case .export, .importing, .open: true
        case .value, .contextValue, .contextMember: false
        }
    }
}
