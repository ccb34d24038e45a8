package import FlagFormats
package import FlagModel
package import FlagRemote

/// A template as the service sent it, with everything that is needed to publish it again.
package struct TemplateResponse: Sendable {
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
}

extension TemplateVersion {
    /// Decodes the response to a request for versions, the newest first.
    ///
    /// - Throws: why the response is not valid.
    package static func list(_ response: SourceResponse) throws(DocumentError) -> [TemplateVersion] {
        let root = try JSONDocument(document: response.body).root
        guard root.kind == .object else {
            throw .unknownShape("the list of versions is \(root.kindWords); expected an object")
        }
        return root["versions"]?.elements.compactMap { TemplateVersion($0) } ?? []
    }
}

/// The error responses of Firebase.
package enum FirebaseServiceError {
    /// The service's explanation in an error response, such as `PERMISSION_DENIED: the message`; `nil` if there is none.
    /// See ``SourceClient/send(_:detail:)``.
    package static func detail(_ response: SourceResponse) -> String? {
        guard let error = (try? JSONDocument(parsing: response.body))?.root["error"] else { return nil }
        let parts = [error["status"], error["message"]].compactMap { $0?.text?.string }
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}
