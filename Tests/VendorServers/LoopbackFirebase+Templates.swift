#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Synchronization

// The REST API of templates.
extension LoopbackFirebase {
    /// The response to a request for templates; `nil` for other URLs.
    func templateReply(to request: LoopbackRequest) -> LoopbackReply? {
        let home = "/v1/projects/\(project)/"
        let serverHome = "\(home)namespaces/\(Namespace.server.rawValue)/"
        guard request.path.hasPrefix(home) else { return nil }
        let namespace = request.path.hasPrefix(serverHome) ? Namespace.server : .client
        let operation = request.path.dropFirst((namespace == .server ? serverHome : home).count)
        let respond: (Namespace, LoopbackRequest) -> LoopbackReply
        switch (request.method, operation) {
        case ("GET", "remoteConfig"): respond = template
        case ("PUT", "remoteConfig"): respond = publish
        case ("GET", "remoteConfig:listVersions"): respond = listVersions
        case ("GET", "serverRemoteConfig") where namespace == .server: respond = templateForEvaluation
        default: return nil
        }
        guard isAuthorized(request) else {
            let sentence = "Request had invalid authentication credentials. Expected OAuth 2 access token."
            return Self.failure(401, "UNAUTHENTICATED", sentence)
        }
        return respond(namespace, request)
    }

    private func etag(_ number: Int) -> String { "etag-\(project)-\(number)" }

    private func template(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let versions = versions(namespace)
        guard let number = request.query("versionNumber") else { return reply(versions.last, request) }
        return versions.first { "\($0.number)" == number }.map { reply($0, request) }
            ?? Self.failure(404, "NOT_FOUND", "[NOT_FOUND]: there is no version \(number)")
    }

    /// The template, reduced to the members that evaluation needs.
    private func templateForEvaluation(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        reply(versions(namespace).last, request, ["conditions", "parameters"])
    }

    private func reply(_ version: Version?, _ request: LoopbackRequest, _ members: [String]? = nil) -> LoopbackReply {
        let (text, etag) = (version?.template(members) ?? "{}", etag(version?.number ?? 0))
        // An ETag is sent only if the request accepts gzip.
        guard request.headers["Accept-Encoding"]?.contains("gzip") == true else { return .json(text) }
        return sendsNotModified
            ? .tagged(.raw(text), for: request, etag: etag) : .json(text, headers: [("ETag", etag)])
    }

    private func publish(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let (wanted, newest) = (request.headers["If-Match"] ?? "none", etag(versionNumber(namespace)))
        guard wanted == newest else {
            let sentence = "[VERSION_MISMATCH]: Expected \(wanted), but is \(newest)"
            return Self.failure(412, "FAILED_PRECONDITION", sentence)
        }
        let text = String(decoding: request.body, as: UTF8.self)
        guard request.query("validateOnly") != "true" else { return .json(text, headers: [("ETag", etag(0))]) }
        let details = request.json?["version"]?["description"]?.text?.string
        let version = add(text, to: namespace, details: details)
        return .json(version.template(), headers: [("ETag", etag(version.number))])
    }

    private func listVersions(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let page = versions(namespace).reversed().prefix(request.query("pageSize").flatMap { Int($0) } ?? 10)
        return .document(["versions": page.isEmpty ? nil : .array(page.map(\.entry))])
    }
}
#endif
