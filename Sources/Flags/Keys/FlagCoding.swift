import FlagModel

/// How a value travels as text.
struct FlagCoding<Value: Sendable>: Sendable {
    let type: FlagType
    /// The value that a text means; `nil` when it means none.
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) throws -> String
}
