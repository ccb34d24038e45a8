public import FlagModel

/// The editor of a value: of a flag without options, or of another value than the options.
public struct ValueEditor: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// The type of the value.
    public let type: FlagType
    /// The catalog's bounds of a number.
    public let bounds: NumberBounds?
    /// The value that the editor was opened on, as stored.
    public let original: String
    /// The edited text.
    public private(set) var field: TextField
    /// Why the text was not saved, as a sentence; `nil` until it is rejected, and again after typing.
    public internal(set) var refusal: String?
    /// The current error in JSON; `nil` if there is none, and for texts too long to be checked at each key.
    public internal(set) var finding: Finding?
    /// The first line in view, if the text is edited in lines.
    public internal(set) var top = 0
    /// How many lines are in view.
    var rowsInView = 1
    /// The folded ranges, in order.
    var folds: [Range<Int>] = []
    /// The column that moving up and down aims at.
    var goal: Int?
    /// `true` after the warning that leaving drops the typed text.
    var isWarned = false

    /// The override when the user's own editor was opened; `nil` if there was none, or it was never opened.
    var overrideHandedOut: String?
    /// The request for the user's own editor, whose response counts.
    var request: RequestID?

    /// The initial text.
    private let opened: [Character]
    /// The undo steps, the newest last.
    private var past: [TextField] = []
    /// Whether the last change was a typed character, which is undone together with the next one.
    private var isTyping = false

    /// The most characters of all undo steps: hundreds of steps for any value that people write by hand.
    private static let undoLimit = 1 << 18

    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        type = facts.type
        bounds = facts.bounds
        // An override that a launch value hides, or that is invalid, is what the user wants to correct.
        original = facts.override?.value ?? facts.value ?? ""
        // JSON on one line is formatted for reading; line breaks of the user's own are preserved.
        let isLaidOut = type != .json || original.contains(where: \.isNewline)
        field = TextField(isLaidOut ? original : JSONSpacing.indented(original) ?? original)
        opened = field.characters
        guard isDocument else { return }
        field.move(to: 0)
        check()
    }

    /// The edited text.
    public var text: String { field.text }

    /// Why the text cannot be saved, as a sentence; `nil` if it can.
    public var objection: String? { type.objection(to: text) ?? bounds?.objection(to: text) }

    /// `true` if a change can be undone.
    public var canUndo: Bool { !past.isEmpty }

    /// `true` if the text differs from the initial one.
    public var hasChanges: Bool { field.characters != opened }

    /// The text as it is stored.
    ///
    /// An option is stored in its own spelling, such as `true` for `on`. JSON that differs from an option or from a
    /// layer's value in white space only is stored in their spelling; other JSON on one line if it was on one line.
    public func value(for flag: FlagFacts) -> String {
        guard type == .json else { return flag.option(meaning: text)?.value ?? text }
        guard let compact = JSONSpacing.compact(text) else { return text }
        let known = flag.options.map(\.value) + [original] + flag.explanation.entries.compactMap(\.value?.string)
        if let same = known.first(where: { JSONSpacing.compact($0) == compact }) { return same }
        return original.contains(where: \.isNewline) ? text : compact
    }

    /// Types a character.
    mutating func type(_ character: Character) {
        let joins = isTyping && !character.isWhitespace
        change(isNewStep: !joins) { $0.insert(String(character)) }
        isTyping = true
    }

    /// Inserts pasted text at the cursor. White space around a number is dropped.
    mutating func paste(_ text: String) {
        let isNumber = type != .string && type != .json
        change { $0.insert(isNumber ? text.trimmed : text) }
    }

    /// Replaces the text with one that was written elsewhere.
    mutating func replaceText(with text: String) {
        change { $0 = TextField(text) }
        if isDocument { moveCursor(to: 0) }
    }

    /// Moves the cursor by a line edit.
    mutating func moveCursor(by edit: LineEdit) {
        isTyping = false
        field.edit(edit)
    }

    /// Moves the cursor to a position.
    mutating func moveCursor(to position: Int) {
        isTyping = false
        field.move(to: position)
    }

    /// Steps a whole number up or down, within its bounds. A text that is not a number starts at the bound nearest to
    /// zero.
    mutating func step(by count: Int) {
        let number = FlagReading.int(text).map { $0.addingReportingOverflow(count) }
        let stepped = number.map { $0.overflow ? nil : $0.partialValue } ?? start
        guard let stepped, bounds?.objection(to: String(stepped)) == nil else { return }
        change { $0 = TextField(String(stepped)) }
    }

    private var start: Int? {
        let (low, high) = (bounds?.minimum, bounds?.maximum)
        let least = low.map { FlagReading.int($0.string) } ?? Int.min
        let most = high.map { FlagReading.int($0.string) } ?? Int.max
        guard let least, let most, FlagReading.int(text) == nil else { return nil }
        return max(least, min(0, most))
    }

    /// Undoes the last change.
    mutating func undo() {
        guard let last = past.popLast() else { return }
        let before = field.characters
        field = last
        isTyping = false
        textChanged(from: before)
    }

    /// Changes the text, as a new undo step, or as part of the last one.
    mutating func change(isNewStep: Bool = true, _ change: (inout TextField) -> Void) {
        let before = field
        change(&field)
        isTyping = isTyping && !isNewStep
        guard field.characters != before.characters else { return }
        textChanged(from: before.characters)
        guard isNewStep else { return }
        past.append(before)
        var room = Self.undoLimit
        let kept = past.reversed().prefix { step in
            room -= step.characters.count
            return room >= 0
        }
        past.removeFirst(past.count - max(1, kept.count))
    }

    private mutating func textChanged(from before: [Character]) {
        refusal = nil
        goal = nil
        guard isDocument else { return }
        let start = zip(before, field.characters).prefix { $0 == $1 }.count
        let growth = field.characters.count - before.count
        folds = Self.folds(folds, after: growth, at: start, in: field.characters)
        check()
    }

    private mutating func check() {
        finding = field.characters.count <= Self.liveLimit ? Self.finding(in: field) : nil
    }
}
