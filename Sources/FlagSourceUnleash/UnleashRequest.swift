import FlagModel
public import FlagSourceSupport

extension UnleashSettings {
    /// The name that messages use: the server's host.
    var name: String { "unleash:\(baseURL.authority)" }

    /// The question for all toggles that are on (`GET` or `POST /api/frontend`).
    ///
    /// - Parameters:
    ///   - version: the ETag of what is known, sent back as it came. The service says 304 to `GET` alone.
    ///   - connection: what tells this run from others, a UUID.
    public func request(since version: String? = nil, connection: String? = nil) -> SourceRequest {
        var url = baseURL.adding(path: "/api/frontend")
        var headers = SourceHeaders([("Accept", "application/json"), ("Content-Type", "application/json")])
        // The token goes as it is, without "Bearer".
        if !token.isEmpty { headers.set("Authorization", secret: token) }
        headers["unleash-appname"] = context.appName
        if let connection { headers["unleash-connection-id"] = connection }
        guard question == .get else {
            return SourceRequest(
                source: name, method: .post, url: url, headers: headers,
                body: Array("{\"context\":\(context.json)}".utf8))
        }
        for item in context.query { url = url.adding(query: item.name, item.value) }
        if let version { headers["If-None-Match"] = version }
        return SourceRequest(source: name, url: url, headers: headers)
    }

    /// What a failed answer says itself: `message`.
    static func detail(_ response: SourceResponse) -> String? {
        (try? JSONDocument(parsing: response.body))?.root["message"]?.text?.string
    }
}

/// What tells the connections of one run from those of others (RFC 9562, version 4).
enum ConnectionID {
    static func random() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
        return groups.joined(separator: "-")
    }
}
