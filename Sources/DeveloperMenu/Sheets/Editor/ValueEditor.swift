import FlagModel

/// The editor of a flag's value, for a flag without options, or for a value that is not one of the options.
struct ValueEditor: Sendable, Equatable {
    let key: FlagText
    /// The type that the text is checked as.
    private(set) var type: FlagType
    /// The catalog's bounds of a number.
    let bounds: NumberBounds?
    /// The stored value with which the editor was opened.
    let original: String
    private(set) var field: TextField
    /// Why the text was rejected, as a sentence; `nil` if the text was not rejected or was changed since.
    var error: String?
    /// The current error in JSON; `nil` if the JSON is valid, or too long to check at each key press.
    var finding: JSONError?
    /// The lines in view; only for documents.
    var scrolled = ScrolledLines.none
    /// The folded ranges, in order.
    var folds: [Range<Int>] = []
    /// The column that moving up and down returns to on lines that are long enough; `nil` after other keys.
    var goalColumn: Int?
    /// Whether the next key replaces the whole text, which no key has changed or moved in yet.
    private(set) var replacesAll: Bool
    /// Whether the user was warned that leaving drops the typed text.
    var isWarned = false

    /// The override at the time when the user's own editor was opened; `nil` if there was no override, or if the user's
    /// own editor was not opened.
    var overrideBeforeOutsideEdit: String?
    /// The newest request to open the user's own editor; responses to older ones are ignored.
    var request: RequestID?

    /// The initial text.
    private let initialCharacters: [Character]
    /// The undo steps, the newest last.
    private var undoSteps: [TextField] = []
    /// Whether the last change was a typed character, which is undone together with the next one.
    private var isTyping = false

    /// The maximum number of characters in all undo steps together. For values written by hand, this is enough for
    /// hundreds of steps.
    private static let undoLimit = 1 << 18

    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        type = facts.editedType
        bounds = facts.bounds
        // The user wants to correct the override, even if a launch value hides it or it is invalid.
        original = facts.override?.value ?? facts.value ?? ""
        // JSON on one line is formatted for reading; JSON with line breaks is left unchanged.
        let isLaidOut = type != .json || original.contains(where: \.isNewline)
        field = TextField(isLaidOut ? original : JSONSpacing.indented(original) ?? original)
        initialCharacters = field.characters
        replacesAll = type != .json && !original.isEmpty
        guard isDocument else { return }
        field.move(to: 0)
        check()
    }

    var text: String { field.text }

    /// Why the text cannot be saved, as a sentence; `nil` if it can be saved.
    var invalidReason: String? { type.invalidReason(to: text) ?? bounds?.invalidReason(to: text) }

    /// Whether there is a change to undo.
    var canUndo: Bool { !undoSteps.isEmpty }

    /// Whether the text differs from the initial text.
    var hasChanges: Bool { field.characters != initialCharacters }

    /// Whether a save would change nothing of the user's: no key has edited the text, even if the flag has changed
    /// meanwhile, or the value is still the one with which the editor was opened and which the flag has.
    func isUnchanged(_ flag: FlagFacts) -> Bool {
        guard let current = flag.override?.value ?? flag.value else { return false }
        return !canUndo || current == original && (!hasChanges || value(for: flag) == original)
    }

    /// The value to store for the text.
    ///
    /// A text that means an option is stored in the option's spelling, such as `true` for `on`. JSON that differs from
    /// an option or from a layer's value only in white space is stored as that option or value. Other JSON is stored on
    /// one line, unless the original had line breaks.
    func value(for flag: FlagFacts) -> String {
        guard type == .json else { return flag.option(meaning: text)?.value ?? text }
        guard let compact = JSONSpacing.compact(text) else { return text }
        let existingValues =
            flag.options.map(\.value) + [original] + flag.explanation.entries.compactMap(\.value?.string)
        if let equalValue = existingValues.first(where: { JSONSpacing.compact($0) == compact }) { return equalValue }
        return original.contains(where: \.isNewline) ? text : compact
    }

    /// Types a character. In a document, a closing bracket at the start of a line is unindented by two spaces.
    mutating func type(_ character: Character) {
        let start = isDocument ? lines.line(of: field.cursor).range.lowerBound : field.cursor
        let textBefore = field.characters[start..<field.cursor]
        if character == "}" || character == "]", textBefore.count >= 2, textBefore.allSatisfy({ $0 == " " }) {
            replace(field.cursor - 2..<field.cursor, with: "")
        }
        let joinsLastStep = isTyping && !character.isWhitespace
        insert(String(character), isNewStep: !joinsLastStep)
        isTyping = true
    }

    private mutating func insert(_ text: String, isNewStep: Bool = true) {
        guard !text.isEmpty else { return }
        let replacesAll = replacesAll
        change(isNewStep: isNewStep) { if replacesAll { $0 = TextField(text) } else { $0.insert(text) } }
    }

    /// Inserts pasted text at the cursor. White space around a number is dropped.
    mutating func paste(_ text: String) {
        let isNumber = type != .string && type != .json
        insert(isNumber ? text.trimmed : text)
    }

    /// Replaces the whole text, for example with the text from the user's own editor.
    mutating func replaceText(with text: String) {
        change { $0 = TextField(text) }
        if isDocument { moveCursor(to: 0) }
    }

    /// Edits the value of a text flag as text, although it was JSON.
    mutating func editAsText() {
        let compact = JSONSpacing.compact(text)
        let isUnchanged = compact != nil && compact == JSONSpacing.compact(original)
        let oneLine = original.contains(where: \.isNewline) ? nil : compact
        let newText = isUnchanged ? original : oneLine ?? text
        (type, finding, folds) = (.string, nil, [])
        change { $0 = TextField(newText) }
    }

    /// Moves the cursor to a position.
    mutating func moveCursor(to position: Int) {
        (replacesAll, isTyping) = (false, false)
        field.move(to: position)
    }

    /// Adds `count` to a whole number, if the sum is within the bounds. A text that is not a number becomes the valid
    /// number nearest to zero.
    mutating func step(by count: Int) {
        let sum = FlagReading.int(text).map { $0.addingReportingOverflow(count) }
        let stepped = sum.map { $0.overflow ? nil : $0.partialValue } ?? startNumber
        guard let stepped, bounds?.invalidReason(to: String(stepped)) == nil else { return }
        change { $0 = TextField(String(stepped)) }
    }

    /// The valid number nearest to zero; `nil` if the text is a number already, or if a bound is not a whole number.
    private var startNumber: Int? {
        let (low, high) = (bounds?.minimum, bounds?.maximum)
        let least = low.map { FlagReading.int($0.string) } ?? Int.min
        let most = high.map { FlagReading.int($0.string) } ?? Int.max
        guard let least, let most, FlagReading.int(text) == nil else { return nil }
        return max(least, min(0, most))
    }

    mutating func undo() {
        guard let last = undoSteps.popLast() else { return }
        let oldCharacters = field.characters
        field = last
        isTyping = false
        textChanged(from: oldCharacters)
    }

    /// Changes the text, as a new undo step or as part of the last undo step.
    mutating func change(isNewStep: Bool = true, _ change: (inout TextField) -> Void) {
        let oldField = field
        change(&field)
        (replacesAll, isTyping) = (false, isTyping && !isNewStep)
        guard field.characters != oldField.characters else { return }
        textChanged(from: oldField.characters)
        guard isNewStep else { return }
        undoSteps.append(oldField)
        var charactersLeft = Self.undoLimit
        let recentSteps = undoSteps.reversed().prefix { step in
            charactersLeft -= step.characters.count
            return charactersLeft >= 0
        }
        undoSteps.removeFirst(undoSteps.count - max(1, recentSteps.count))
    }

    private mutating func textChanged(from oldCharacters: [Character]) {
        error = nil
        goalColumn = nil
        guard isDocument else { return }
        if !folds.isEmpty { moveFolds(from: oldCharacters) }
        check()
    }
}
