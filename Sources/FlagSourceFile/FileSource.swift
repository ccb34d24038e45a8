public import FlagModel
public import FlagRemote

/// A document in a file: values, a template, a catalog, flags of another tool, or in-app defaults as a property list or
/// XML. The format is detected from the content; YAML also, and JSON with comments only, from the file's name.
public struct FileSource: RemoteSource {
    private let file: RemoteFile
    private let evaluate: DocumentEvaluation?

    /// A source at a path.
    ///
    /// - Parameter evaluate: evaluates the decoded document; `nil` for no evaluation.
    public init(path: String, evaluate: DocumentEvaluation? = nil) {
        file = RemoteFile(path)
        self.evaluate = evaluate
    }

    /// `file:` and the path.
    public var identity: SourceIdentity { file.identity }

    /// The file's name.
    public var name: String { file.name }

    /// The path.
    public var address: String { file.address }

    /// Reads the file.
    public func readSynchronously() throws(SourceError) -> FetchResult? { try file.readSynchronously() }

    /// Reports each change of the file.
    public func changes() -> AsyncStream<LiveUpdateEvent>? { file.changes() }

    /// Detects the format of a document of any kind, decodes it, and evaluates it.
    public func decode(_ bytes: [UInt8]) throws(DocumentError) -> RemoteDocument {
        let text = try DocumentFormat.plain(bytes, named: name)
        let document = try DocumentFormat.document(in: text)
        return evaluate?(text, document) ?? document
    }

    /// Reads the file as an app's built-in default values: a property list, a `defaultsMap`, or a JSON object.
    ///
    /// - Returns: the values, and the entries that were left out.
    public func readDefaults() throws(SourceError) -> (values: ValueTable, issues: [DocumentIssue]) {
        let bytes = try SourceFileBytes(path: file.path).bytes
        return try SourceError.reading(file.path) { () throws(DocumentError) in
            try DocumentFormat.defaults(in: try DocumentFormat.plain(bytes, named: name))
        }
    }
}
