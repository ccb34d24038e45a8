/// A part of a document that was left out, and why; the rest of the document is in use.
public struct DocumentProblem: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1, where it is known.
    public let line: Int?
    /// The column in Unicode scalars, from 1, where it is known.
    public let column: Int?
    /// What was found and what was done, safe to print.
    public let sentence: String

    /// A problem at a place, or one that has none.
    public init(line: Int? = nil, column: Int? = nil, sentence: String) {
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    /// For example `line 4, column 3: an item without a string "key" was left out`.
    public var description: String {
        guard let line, let column else { return sentence }
        return "line \(line), column \(column): \(sentence)"
    }
}
