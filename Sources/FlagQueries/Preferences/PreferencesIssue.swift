public import FlagModel

/// An error in preferences, and its place.
public struct PreferencesIssue: Sendable, Hashable, CustomStringConvertible {
    /// The error and its place in a file; `nil` if the error has no place in a file.
    private let error: JSONError?
    private let path: String
    private let sentence: String

    /// An error at a place in a file.
    ///
    /// - Parameters:
    ///   - error: the error and its place.
    ///   - path: the file's path.
    ///   - consequence: the effect of the error, as sentences; empty if it is obvious.
    public init(_ error: JSONError, in path: String, consequence: String = "") {
        (self.error, self.path) = (error, path)
        sentence = consequence.isEmpty ? error.issue : "\(error.issue.asSentence) \(consequence)"
    }

    /// An error without a place in a file, such as in the value of an environment variable.
    ///
    /// - Parameters:
    ///   - sentence: the error, with the name of the file or the variable.
    ///   - path: the path of the file as the sentence names it; empty for a variable.
    public init(_ sentence: String, path: String = "") {
        error = nil
        (self.path, self.sentence) = (path, sentence)
    }

    /// For example `/etc/config.json: line 3, column 12: "theme" cannot be "drak".`
    public var description: String { error.map { "\(path): \($0.place): \(sentence)" } ?? sentence }

    /// The error on one line, such as `config.json:3:12: "theme" cannot be "drak".`
    ///
    /// - Parameter name: the name to show instead of the file's path.
    public func brief(naming name: String) -> String {
        if let error { return "\(name):\(error.line):\(error.column): \(sentence)" }
        return path.isEmpty ? sentence : sentence.replacing(path, with: name)
    }
}
