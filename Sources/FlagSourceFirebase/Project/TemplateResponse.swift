package import FlagFormats
package import FlagModel
package import FlagRemote

/// A template as the service sent it, with everything that is needed to publish it again.
package struct TemplateResponse: Sendable {
    /// The parsed template.
    package let template: FirebaseTemplate
    /// The template's bytes, including unknown parts.
    package let bytes: [UInt8]
    /// The ETag of the project's newest template when this one was read; `nil` if the service sent none.
    package let etag: String?

    /// Decodes a response.
    ///
    /// - Throws: why the response is not valid.
    package init(_ response: SourceResponse) throws(DocumentError) {
        template = try FirebaseTemplate(parsing: response.body)
        bytes = response.body
        etag = response.headers["ETag"]
    }

    /// Whether this is the response to a validation, whose ETag is not valid for publishing.
    package var isTrial: Bool { etag?.hasSuffix("-0") ?? false }
}

/// A page of a list of versions.
package struct VersionPage: Sendable, Hashable {
    /// The versions, the newest first.
    package let versions: [TemplateVersion]
    /// The token of the next page; `nil` on the last page.
    package let nextPageToken: String?

    /// Decodes a response.
    ///
    /// - Throws: why the response is not valid.
    package init(_ response: SourceResponse) throws(DocumentError) {
        let root = try JSONDocument(document: response.body).root
        guard root.kind == .object else {
            throw .unknownShape("the list of versions is \(root.kindWords); expected an object")
        }
        versions = (root["versions"].map { Array($0.elements) } ?? []).compactMap { TemplateVersion($0) }
        nextPageToken = root["nextPageToken"]?.text.flatMap { $0.isEmpty ? nil : $0.string }
    }
}

/// An error response of Firebase.
package struct FirebaseServiceError: Sendable, Hashable {
    /// The kind of error, such as `PERMISSION_DENIED`.
    package let status: String?
    /// The message in English, which may begin with a code in brackets such as `[VALIDATION_ERROR]: `.
    package let message: String?

    /// Decodes a response; `nil` if it is not an error of Firebase.
    package init?(_ response: SourceResponse) {
        guard let error = (try? JSONDocument(parsing: response.body))?.root["error"], error.kind == .object else {
            return nil
        }
        status = error["status"]?.text?.string
        message = error["message"]?.text?.string
    }

    /// The service's explanation in an error response; `nil` if there is none. See ``SourceClient/send(_:detail:)``.
    package static func detail(_ response: SourceResponse) -> String? {
        guard let rejection = FirebaseServiceError(response) else { return nil }
        let parts = [rejection.status, rejection.message].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
