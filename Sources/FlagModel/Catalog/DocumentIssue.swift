/// A part of a file or response with flags that could not be used, and why; the rest is in use.
public struct DocumentIssue: Sendable, Hashable, CustomStringConvertible {
    /// The key of the remote value whose text has the issue; `line` and `column` count in that text. `nil` if they
    /// count in the document.
    public let part: String?
    /// The line, from 1, if it is known.
    public let line: Int?
    /// The column in Unicode scalars, from 1, if it is known.
    public let column: Int?
    /// The issue and how it was handled, safe to print.
    public let sentence: String

    /// An issue, with or without a place.
    public init(part: String? = nil, line: Int? = nil, column: Int? = nil, sentence: String) {
        self.part = part
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    /// For example `line 4, column 3: an item without a string "key" was left out`, and for a catalog in the text of a
    /// remote value `in the text of config_categories, line 4, column 3: …`.
    public var description: String {
        let place = [
            part.map { "in the text of \($0)" }, line.map { "line \($0)" }, column.map { "column \($0)" },
        ].compactMap { $0 }
        return place.isEmpty ? sentence : "\(place.joined(separator: ", ")): \(sentence)"
    }
}

/// Collects issues, and computes the places of those in a document in one pass over its text.
package struct IssueLog {
    /// The maximum number of listed issues. Further issues are only counted.
    private static let limit = 100

    private var locator: TextLocator?
    private let part: String?
    private var listed: [DocumentIssue] = []
    /// The number of issues beyond `limit`.
    private var omitted = 0

    /// Collects issues in a document. `part` becomes the ``DocumentIssue/part`` of each issue.
    package init(_ document: JSONDocument, part: String?) {
        locator = TextLocator(document.bytes, start: document.start)
        self.part = part
    }

    /// Collects more issues, without places.
    init(issues: [DocumentIssue] = []) { (locator, part, listed) = (nil, nil, issues) }

    /// Records an issue, at a value of the document. `sentence` describes the issue and how it was handled.
    package mutating func add(_ sentence: @autoclosure () -> String, at value: JSONValue? = nil) {
        guard listed.count < Self.limit else {
            omitted += 1
            return
        }
        var place: (line: Int, column: Int)?
        if let value { place = locator?.place(of: value.offset) }
        listed.append(DocumentIssue(part: part, line: place?.line, column: place?.column, sentence: sentence()))
    }

    /// The listed issues, then one issue with the number of omitted issues if there are any.
    package var issues: [DocumentIssue] {
        guard omitted > 0 else { return listed }
        let words = omitted.counted("more warning of this kind is", "more warnings of this kind are")
        return listed + [DocumentIssue(part: part, sentence: "\(words) not listed")]
    }
}

extension JSONValue {
    /// The kind of value in words, for a sentence.
    package var kindWords: String {
        switch kind {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension FlagText {
    /// The text in quotes for a sentence, escaped and truncated.
    package var quoted: String { JSONOutput.quoted(string, limit: 60) }
}
