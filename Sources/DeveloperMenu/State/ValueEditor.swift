public import FlagModel

/// The editor of a value: of a flag without options, or of another value than the options.
public struct ValueEditor: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// How the text must read.
    public let type: FlagType
    /// What the catalog says about the number, where it is one.
    public let bounds: NumberBounds?
    /// The text under correction.
    public private(set) var field: TextField
    /// Why the text was not saved, as a sentence; `nil` until it is refused, and again once somebody types.
    public internal(set) var refusal: String?
    /// What can be brought back, the newest last.
    private var past: [TextField] = []
    /// Whether the last change was a character typed, which the next one is undone together with.
    private var isTyping = false

    /// How many characters the steps may hold together: hundreds of them for any value that people write by hand.
    private static let undoLimit = 1 << 18

    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        type = facts.type
        bounds = facts.bounds
        // An override that a launch value hides, or that is invalid, is what somebody comes to correct.
        field = TextField(facts.override?.value ?? facts.value ?? "")
    }

    /// The text as it would be saved.
    public var text: String { field.text }

    /// Why the text cannot be saved as it is, as a sentence; `nil` when it can.
    public var objection: String? { type.objection(to: text) ?? bounds?.objection(to: text) }

    /// `true` when a change can be taken back.
    public var canUndo: Bool { !past.isEmpty }

    /// Types a character.
    mutating func type(_ character: Character) {
        let joins = isTyping && !character.isWhitespace
        change(keepsStep: joins) { $0.insert(String(character)) }
        isTyping = true
    }

    /// Puts pasted text where the cursor is. White space around a number is no part of it.
    mutating func paste(_ text: String) {
        let isNumber = type != .string && type != .json
        change { $0.insert(isNumber ? text.trimmed : text) }
    }

    /// Carries out an intent of line editing; a refusal has been read by then.
    mutating func edit(_ intent: Intent) {
        change { _ = $0.edit(intent) }
    }

    /// Makes a whole number larger or smaller, as far as its bounds allow. A text that is none starts at the nearest
    /// bound to zero.
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

    /// Takes the last change back.
    mutating func undo() {
        guard let last = past.popLast() else { return }
        field = last
        refusal = nil
        isTyping = false
    }

    private mutating func change(keepsStep: Bool = false, _ change: (inout TextField) -> Void) {
        let before = keepsStep ? nil : field
        change(&field)
        refusal = nil
        isTyping = isTyping && keepsStep
        guard let before, field.characters != before.characters else { return }
        past.append(before)
        var room = Self.undoLimit
        let kept = past.reversed().prefix { step in
            room -= step.characters.count
            return room >= 0
        }
        past.removeFirst(past.count - max(1, kept.count))
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
