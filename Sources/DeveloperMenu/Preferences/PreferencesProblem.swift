public import FlagModel

/// What could not be taken of what somebody prefers, and where it stands.
public struct PreferencesProblem: Sendable, Hashable, CustomStringConvertible {
    /// What is wrong in the text of a file, with its place; `nil` where the sentence says all.
    private let error: JSONError?
    private let path: String
    private let sentence: String

    /// Something that stands at a place of a file.
    ///
    /// - Parameters:
    ///   - error: what is wrong, and where.
    ///   - path: the file's path.
    ///   - consequence: what comes of it, as sentences; empty where that is plain.
    public init(_ error: JSONError, in path: String, consequence: String = "") {
        self.error = error
        self.path = path
        sentence = consequence.isEmpty ? error.problem : "\(error.problem.asSentence) \(consequence)"
    }

    /// Something that has no place in a file, such as the value of a variable.
    ///
    /// - Parameters:
    ///   - sentence: what is wrong, and with what.
    ///   - path: the path of the file, if it is one that the sentence names.
    public init(_ sentence: String, path: String = "") {
        error = nil
        self.path = path
        self.sentence = sentence
    }

    /// For example `/etc/config.json: line 3, column 12: "theme" cannot be "drak".`
    public var description: String { error.map { "\(path): \($0.place): \(sentence)" } ?? sentence }

    /// The same where there is one line to say it on, such as `config.json:3:12: "theme" cannot be "drak".`
    ///
    /// - Parameter name: what the file is called there.
    public func brief(naming name: String) -> String {
        if let error { return "\(name):\(error.line):\(error.column): \(sentence)" }
        return path.isEmpty ? sentence : sentence.replacing(path, with: name)
    }
}
