public import FlagModel
public import FlagRemote

/// A template as the service sent it, with what publishing it back takes.
public struct TemplateAnswer: Sendable {
    /// What it says.
    public let template: FirebaseTemplate
    /// How it says it, with whatever nobody here knows.
    public let bytes: [UInt8]
    /// The state of the project's templates that it was read in; `nil` where the service named none.
    public let etag: String?

    /// Reads an answer.
    ///
    /// - Throws: what is wrong with it.
    public init(_ response: SourceResponse) throws(DocumentError) {
        template = try FirebaseTemplate(parsing: response.body)
        bytes = response.body
        etag = response.headers["ETag"]
    }

    /// Whether this answers a trial: such a state is none to publish on.
    public var isTrial: Bool { etag?.hasSuffix("-0") ?? false }
}

/// A page of a list of versions.
public struct VersionPage: Sendable, Hashable {
    /// The versions, the newest first.
    public let versions: [TemplateVersion]
    /// What the next page is asked for with; `nil` at the end.
    public let nextPageToken: String?

    /// Reads an answer.
    ///
    /// - Throws: what is wrong with it.
    public init(_ response: SourceResponse) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard root.kind == .object else {
            throw .unknownShape("the list of versions is \(root.kindWords); expected an object")
        }
        versions = (root["versions"].map { Array($0.elements) } ?? []).compactMap { TemplateVersion($0) }
        nextPageToken = root["nextPageToken"]?.text.flatMap { $0.isEmpty ? nil : $0.string }
    }
}

/// What Firebase says of a question that it does not answer.
public struct FirebaseRefusal: Sendable, Hashable {
    /// What kind of refusal, such as `PERMISSION_DENIED`.
    public let status: String?
    /// A sentence in English, which may begin with a kind in brackets such as `[VALIDATION_ERROR]: `.
    public let message: String?

    /// Reads an answer; `nil` where it is no refusal of Firebase's.
    public init?(_ response: SourceResponse) {
        guard let error = (try? JSONDocument(parsing: response.body))?.root["error"], error.kind == .object else {
            return nil
        }
        status = error["status"]?.text?.string
        message = error["message"]?.text?.string
    }

    /// The refusal for the message of a ``SourceError``.
    public static func detail(_ response: SourceResponse) -> String? {
        guard let refusal = FirebaseRefusal(response) else { return nil }
        let parts = [refusal.status, refusal.message].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
