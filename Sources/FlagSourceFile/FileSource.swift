public import FlagModel
public import FlagRemote

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
    /// Reads more in the bytes of a document than its shape tells, such as which conditions of a template hold.
    public typealias Refinement = @Sendable (_ bytes: [UInt8], _ document: RemoteDocument) -> RemoteDocument

    /// Where the document is, as it was given.
    public let path: String
    private let refinement: Refinement?

    /// A source at a path.
    ///
    /// - Parameter refinement: reads more in a document, where somebody can.
    public init(path: String, refinement: Refinement? = nil) {
        self.path = path
        self.refinement = refinement
    }

    /// Equal where the path is.
    public static func == (left: FileSource, right: FileSource) -> Bool { left.path == right.path }

    /// Hashes the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }

    /// What bytes of this file say.
    func document(_ bytes: [UInt8]) throws(DocumentError) -> SourceDocument {
        let document = try SourceDocument(parsing: bytes)
        guard let refinement, case .remote(let remote) = document else { return document }
        return .remote(refinement(bytes, remote))
    }

    /// The path from the root, so that the same relative path in two projects means two sources.
    var absolutePath: String { WorkingDirectory.resolve(path) }

    /// Reads the document, whatever kind it is.
    public func read() throws(SourceError) -> SourceReading {
        let file = try SourceFileBytes(path: path)
        do throws(DocumentError) {
            let document = try document(file.bytes)
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
