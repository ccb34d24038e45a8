import TerminalUI

/// A line that asks for something that an action needs, with suggestions where there are any.
public struct LinePrompt: Sendable, Equatable {
    /// What is asked for.
    public enum Purpose: Sendable, Equatable {
        /// The value that flags are to have.
        case value(of: BulkTargets)
        /// The file that overrides are written to.
        case export
        /// The file that overrides are read from, and whether those that it does not name go.
        case importing(replacing: Bool)
        /// The value of a member of a source's context.
        case contextValue(source: String, name: String)
        /// A new member of a source's context, with its value.
        case contextMember(source: String)
        /// The document or the source that the menu is to be opened on.
        case open
    }

    /// Something to choose instead of typing it.
    public struct Suggestion: Sendable, Equatable {
        /// The text.
        public let text: String
        /// What speaks for it.
        public let note: String
    }

    /// What is asked for.
    public let purpose: Purpose
    /// What can be chosen; of a path, what it may become.
    public internal(set) var suggestions: [Suggestion]
    /// The text that Enter takes.
    public internal(set) var field = TextField()
    /// The index of the suggestion that the text was taken from.
    public internal(set) var selection: Int?
    /// Why the text was not taken, as a sentence.
    public internal(set) var refusal: String?
    /// A file that is there already; Enter on the same name once more replaces it.
    public internal(set) var existingFile: String?

    /// The request for what was named; `nil` if it is neither being written nor read.
    var request: RequestID?
    /// `true` while what was named is being written or read.
    public var isBusy: Bool { request != nil }

    /// The request for what the path may become; `nil` if nobody waits for that.
    var completion: RequestID?

    /// What the line was opened from and leads back to.
    var behind = MenuState.Mode.list

    init(_ purpose: Purpose, suggestions: [Suggestion] = []) {
        self.purpose = purpose
        self.suggestions = suggestions
    }

    /// Takes over a suggestion: the first, or the next one in a direction.
    mutating func suggest(_ direction: Int) {
        guard !suggestions.isEmpty else { return }
        let next = selection.map { $0 + direction } ?? (direction > 0 ? 0 : suggestions.count - 1)
        let index = max(0, min(next, suggestions.count - 1))
        selection = index
        field = TextField(suggestions[index].text)
        refusal = nil
    }

    /// Changes the text; what was said and suggested for the one before does not hold for it.
    mutating func change(_ change: (inout TextField) -> Void) {
        let before = field.text
        change(&field)
        guard field.text != before else { return }
        (selection, refusal, completion) = (nil, nil, nil)
        if purpose.takesPath { suggestions = [] }
    }

    /// Takes over what all paths have in common that the text may become, and shows those.
    mutating func complete(with paths: [String]) {
        completion = nil
        guard !paths.isEmpty else {
            if !field.text.isEmpty { refusal = "No path begins like this." }
            return
        }
        // Before anything is typed they are only shown.
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
