import FlagModel

// A service may quote the request in an error, including credentials, which must not be shown.
extension SourceRequest {
    /// A text of the service in which each credential of this request is replaced by ``Secret/mask``.
    public func masking(_ text: String) -> String {
        secrets.reduce(text) { text, secret in text.replacing(secret, with: Secret.mask) }
    }

    /// A copy of a response, with each credential of this request in its body replaced by ``Secret/mask``.
    public func masking(_ response: SourceResponse) -> SourceResponse {
        response.masking(secrets)
    }

    /// The minimum length of a masked text, in bytes. Shorter texts occur by chance, and are not real credentials.
    private static let minimumLength = 4

    /// The credentials in each form in which a service may quote them; the longest first, as one may contain another.
    private var secrets: [String] {
        let credentials = headerSecrets + addressSecrets + bodySecrets
        let forms = credentials.flatMap { text in
            // The last one is the text as it appears in a JSON string, without the quotation marks.
            [
                text, PercentEncoding.decoded(text), PercentEncoding.encoded(text),
                String(JSONOutput.string(text).text().dropFirst().dropLast()),
            ]
        }
        return Set(forms).filter { $0.utf8.count >= Self.minimumLength }
            .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// The values of secret headers, with and without the scheme, such as `Bearer `.
    private var headerSecrets: [String] {
        headers.fields.filter { $0.isSecret || RedactedURL.isSecret($0.name) }.flatMap { field in
            [field.value] + (field.value.firstIndex(of: " ").map { [String(field.value[$0...].dropFirst())] } ?? [])
        }
    }

    private var addressSecrets: [String] {
        let user = url.userInfo.map { [$0] + $0.split(separator: ":", maxSplits: 1).dropFirst().map(String.init) }
        return (user ?? []) + (pathSecret.map { [$0.reveal()] } ?? []) + Self.secretItems(url.query ?? "")
    }

    /// The secrets in the body, which is a form or a JSON object.
    private var bodySecrets: [String] {
        guard !body.isEmpty else { return [] }
        if headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true {
            return Self.secretItems(String(decoding: body, as: UTF8.self))
        }
        guard let root = (try? JSONDocument(parsing: body))?.root else { return [] }
        // Fewer names are secret than in a query, as messages should show context members such as `key`.
        return root.members.compactMap { member in
            ["token", "secret", "password"].contains(where: member.key.string.lowercased().contains)
                ? member.value.text?.string : nil
        }
    }

    private static func secretItems(_ query: String) -> [String] {
        query.split(separator: "&").compactMap { item in
            guard let equals = item.firstIndex(of: "=") else { return nil }
            let name = PercentEncoding.decoded(String(item[..<equals]))
            // The client assertion of RFC 7523.
            guard RedactedURL.isSecret(name) || name == "assertion" else { return nil }
            return String(item[equals...].dropFirst())
        }
    }
}

extension SourceResponse {
    /// A copy with each of these texts in the body replaced by ``Secret/mask``.
    package func masking(_ secrets: [String]) -> SourceResponse {
        let text = String(decoding: body, as: UTF8.self)
        let masked = secrets.reduce(text) { text, secret in text.replacing(secret, with: Secret.mask) }
        guard masked != text else { return self }
        return SourceResponse(status: status, headers: headers, body: Array(masked.utf8))
    }
}
