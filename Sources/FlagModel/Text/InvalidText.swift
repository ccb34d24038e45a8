/// Why a text cannot be used, such as a value, a filter, or a file to import.
public struct InvalidText: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do, as one or more sentences.
    public let sentence: String

    /// An error with its sentence.
    public init(sentence: String) { self.sentence = sentence }

    /// The sentence.
    public var description: String { sentence }
}
