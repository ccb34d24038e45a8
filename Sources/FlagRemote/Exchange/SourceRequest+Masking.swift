import FlagModel

// A service may quote the request in an error, including credentials, which must not be shown.
extension SourceRequest {
    /// A text of the service in which each credential of this request is replaced by ``Secret/mask``.
    public func masking(_ text: String) -> String {
        secrets.reduce(text) { text, secret in text.replacing(secret, with: Secret.mask) }
    }

    /// A response whose body may be quoted.
    public func masking(_ response: SourceResponse) -> SourceResponse {
        let text = String(decoding: response.body, as: UTF8.self)
        let masked = masking(text)
        guard masked != text else { return response }
        var response = response
        response.body = Array(masked.utf8)
        return response
    }

    /// A shorter text occurs by chance, and is not a real credential.
    private static let shortest = 4

    /// The secret texts, in each form in which they may be quoted; the longest first, as one may contain another.
    private var secrets: [String] {
        let found = ofHeaders + ofAddress + ofBody
        let forms = found.flatMap { [$0, PercentEncoding.decoded($0), PercentEncoding.encoded($0), Self.escaped($0)] }
        return Set(forms).filter { $0.utf8.count >= Self.shortest }
            .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// With and without the scheme that precedes a credential, such as `Bearer `.
    private var ofHeaders: [String] {
        headers.fields.filter { $0.isSecret || RedactedURL.isSecret($0.name) }.flatMap { field in
            [field.value] + (field.value.firstIndex(of: " ").map { [String(field.value[$0...].dropFirst())] } ?? [])
        }
    }

    private var ofAddress: [String] {
        let user = url.userInfo.map { [$0] + $0.split(separator: ":", maxSplits: 1).dropFirst().map(String.init) }
        return (user ?? []) + Self.items(url.query ?? "")
    }

    /// The secrets in a form, or in the members of an object.
    private var ofBody: [String] {
        guard !body.isEmpty else { return [] }
        if headers["Content-Type"]?.hasPrefix("application/x-www-form-urlencoded") == true {
            return Self.items(String(decoding: body, as: UTF8.self))
        }
        guard let root = (try? JSONDocument(parsing: body))?.root else { return [] }
        return root.members.compactMap { member in
            Self.isSecretMember(member.key.string) ? member.value.text?.string : nil
        }
    }

    private static func items(_ query: String) -> [String] {
        query.split(separator: "&").compactMap { item in
            guard let equals = item.firstIndex(of: "=") else { return nil }
            let name = PercentEncoding.decoded(String(item[..<equals]))
            // The client assertion of RFC 7523.
            guard RedactedURL.isSecret(name) || name == "assertion" else { return nil }
            return String(item[equals...].dropFirst())
        }
    }

    /// Narrower than for a query: a context has members such as `key`, which messages should name.
    private static func isSecretMember(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["token", "secret", "password"].contains { name.range(ofText: $0) != nil }
    }

    /// As it is escaped in JSON, where it is quoted whole.
    private static func escaped(_ text: String) -> String {
        String(JSONOutput.string(text).text().dropFirst().dropLast())
    }
}
