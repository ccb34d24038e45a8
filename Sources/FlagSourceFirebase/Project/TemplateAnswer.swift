package import FlagFormats
package import FlagModel
package import FlagRemote

/// A template as the service sent it, with what publishing it back takes.
package struct TemplateAnswer: Sendable {
    /// What it says.
    package let template: FirebaseTemplate
    /// How it says it, with whatever nobody here knows.
    package let bytes: [UInt8]
    /// The state of the project's templates that it was read in; `nil` where the service named none.
    package let etag: String?

    /// Reads an answer.
    ///
    /// - Throws: what is wrong with it.
    package init(_ response: SourceResponse) throws(DocumentError) {
        template = try FirebaseTemplate(parsing: response.body)
        bytes = response.body
        etag = response.headers["ETag"]
    }

    /// Whether this answers a trial: such a state is none to publish on.
    package var isTrial: Bool { etag?.hasSuffix("-0") ?? false }
}

/// A page of a list of versions.
package struct VersionPage: Sendable, Hashable {
    /// The versions, the newest first.
    package let versions: [TemplateVersion]
    /// What the next page is asked for with; `nil` at the end.
    package let nextPageToken: String?

    /// Reads an answer.
    ///
    /// - Throws: what is wrong with it.
    package init(_ response: SourceResponse) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard root.kind == .object else {
            throw .unknownShape("the list of versions is \(root.kindWords); expected an object")
        }
        versions = (root["versions"].map { Array($0.elements) } ?? []).compactMap { TemplateVersion($0) }
        nextPageToken = root["nextPageToken"]?.text.flatMap { $0.isEmpty ? nil : $0.string }
    }
}

/// What Firebase says of a question that it does not answer.
package struct FirebaseRefusal: Sendable, Hashable {
    /// What kind of refusal, such as `PERMISSION_DENIED`.
    package let status: String?
    /// A sentence in English, which may begin with a kind in brackets such as `[VALIDATION_ERROR]: `.
    package let message: String?

    /// Reads an answer; `nil` where it is no refusal of Firebase's.
    package init?(_ response: SourceResponse) {
        guard let error = (try? JSONDocument(parsing: response.body))?.root["error"], error.kind == .object else {
            return nil
        }
        status = error["status"]?.text?.string
        message = error["message"]?.text?.string
    }

    /// The refusal for the message of a ``SourceError``.
    package static func detail(_ response: SourceResponse) -> String? {
        guard let refusal = FirebaseRefusal(response) else { return nil }
        let parts = [refusal.status, refusal.message].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
