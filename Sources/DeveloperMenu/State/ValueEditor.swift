public import FlagModel

/// The line that edits the value of a flag without options.
public struct ValueEditor: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// How the text must read.
    public let type: FlagType
    /// The text under correction.
    public internal(set) var field: TextField
    /// Why the text was not saved, as a sentence; `nil` until it is refused.
    public internal(set) var refusal: String?

    init(_ facts: FlagFacts) {
        key = FlagText(facts.key)
        type = facts.type
        // An override that a launch value hides, or that is invalid, is what somebody comes to correct.
        field = TextField(facts.override?.value ?? facts.value ?? "")
        refusal = nil
    }
}
