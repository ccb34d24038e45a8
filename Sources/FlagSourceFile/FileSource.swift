public import FlagModel
public import FlagSourceSupport

/// One reading of a source.
public struct SourceReading: Sendable {
    /// The file's content.
    public let bytes: [UInt8]
    /// The file's state when it was read.
    public let fingerprint: FileFingerprint
    /// What the content says.
    public let document: SourceDocument
}

/// A document on disk. Each reading opens the file anew; nothing is kept and nothing is written.
public struct FileSource: Sendable, Hashable {
    /// Where the document is, as it was given.
    public let path: String

    /// A source at a path.
    public init(path: String) { self.path = path }

    /// The path from the root, so that the same relative path in two projects means two sources.
    var absolutePath: String { WorkingDirectory.resolve(path) }

    /// Reads the document, whatever kind it is.
    public func read() throws(SourceError) -> SourceReading {
        let file = try SourceFileBytes(path: path)
        do throws(DocumentError) {
            let document = try SourceDocument(parsing: file.bytes)
            return SourceReading(bytes: file.bytes, fingerprint: file.fingerprint, document: document)
        } catch {
            throw SourceError(code: .malformed, path: path, sentence: error.description)
        }
    }

    /// Reads the file as values compiled into an app: a property list, a `defaultsMap`, or a JSON object.
    public func readDefaults() throws(SourceError) -> ValueTable {
        let file = try SourceFileBytes(path: path)
        do throws(DocumentError) {
            return try SourceDocument.defaults(in: file.bytes)
        } catch {
            throw SourceError(code: .malformed, path: path, sentence: error.description)
        }
    }
}
