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
    /// What can be chosen.
    public internal(set) var suggestions: [Suggestion]
    /// The text that Enter takes.
    public internal(set) var field = TextField()
    /// The index of the suggestion that the text was taken from.
    public internal(set) var selection: Int?
    /// Why the text was not taken, as a sentence.
    public internal(set) var refusal: String?
    /// A file that is there already; Enter on the same name once more replaces it.
    public internal(set) var existingFile: String?

    /// The request for the file that was named; `nil` if it is neither being written nor read.
    var request: RequestID?
    /// `true` while the file that was named is being written or read.
    public var isBusy: Bool { request != nil }

    /// The sheet that the line was opened from and leads back to.
    var behind: ContextSheet?

    init(_ purpose: Purpose, suggestions: [Suggestion] = []) {
        self.purpose = purpose
        self.suggestions = suggestions
    }

    /// Whether the name of a file is asked for, which can be completed.
    var isForPath: Bool {
        switch purpose {
        case .export, .importing: true
        case .value, .contextValue, .contextMember: false
        }
    }

    /// Takes over what all paths have in common that begin with the text, and suggests them if there are several.
    mutating func complete(with paths: [String]) {
        guard let first = paths.first else {
            refusal = field.text.isEmpty ? nil : "No file begins with \(field.text.cited)."
            return
        }
        (selection, refusal) = (nil, nil)
        // Nothing is taken over before anything is typed.
        if !field.text.isEmpty {
            let common = paths.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
            if common.count > field.characters.count { field = TextField(common) }
            guard paths.count > 1 else { return }
        }
        suggestions = paths.map { Suggestion(text: $0, note: "") }
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
}
