public import FlagModel

/// An error in preferences, and its place.
public struct PreferencesProblem: Sendable, Hashable, CustomStringConvertible {
    /// An error in the text of a file, with its place; `nil` if the sentence is complete.
    private let error: JSONError?
    private let path: String
    private let sentence: String

    /// An error at a place in a file.
    ///
    /// - Parameters:
    ///   - error: the error and its place.
    ///   - path: the file's path.
    ///   - consequence: its effect, as sentences; empty if that is obvious.
    public init(_ error: JSONError, in path: String, consequence: String = "") {
        self.error = error
        self.path = path
        sentence = consequence.isEmpty ? error.problem : "\(error.problem.asSentence) \(consequence)"
    }

    /// An error without a place in a file, such as in the value of a variable.
    ///
    /// - Parameters:
    ///   - sentence: what is wrong, and in what.
    ///   - path: the path of the file, if it is one that the sentence names.
    public init(_ sentence: String, path: String = "") {
        error = nil
        self.path = path
        self.sentence = sentence
    }

    /// For example `/etc/config.json: line 3, column 12: "theme" cannot be "drak".`
    public var description: String { error.map { "\(path): \($0.place): \(sentence)" } ?? sentence }

    /// The error on one line, such as `config.json:3:12: "theme" cannot be "drak".`
    ///
    /// - Parameter name: the file's name in it.
    public func brief(naming name: String) -> String {
        if let error { return "\(name):\(error.line):\(error.column): \(sentence)" }
        return path.isEmpty ? sentence : sentence.replacing(path, with: name)
    }
}
