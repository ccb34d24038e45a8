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
        case ("POST", "remoteConfig:rollback"): respond = rollBack
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

    private func versions(_ namespace: Namespace) -> FirebaseVersions {
        state.withLock { $0.templates[namespace] ?? FirebaseVersions() }
    }

    private func template(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let versions = versions(namespace)
        guard let requestedNumber = request.query("versionNumber") else {
            return reply(versions.newest?.template() ?? "{}", versions.newest?.number ?? 0, request)
        }
        guard let version = versions.all.first(where: { String($0.number) == requestedNumber }) else {
            return Self.failure(404, "NOT_FOUND", "[NOT_FOUND]: there is no version \(requestedNumber)")
        }
        return reply(version.template(), version.number, request)
    }

    /// The template, reduced to the members that evaluation needs.
    private func templateForEvaluation(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let newest = versions(namespace).newest
        return reply(newest?.template(["conditions", "parameters"]) ?? "{}", newest?.number ?? 0, request)
    }

    private func reply(_ text: String, _ number: Int, _ request: LoopbackRequest) -> LoopbackReply {
        // An ETag is sent only if the request accepts gzip.
        guard request.headers["Accept-Encoding"]?.contains("gzip") == true else { return .json(text) }
        let headers = [("ETag", etag(number))]
        if sendsNotModified, request.headers["If-None-Match"] == etag(number) { return .status(304, headers: headers) }
        let allHeaders = headers + [("Content-Type", "application/json; charset=UTF-8"), ("Content-Encoding", "gzip")]
        let body = StoredGzip.bytes(Array(text.utf8))
        return .respond(SourceResponse(status: 200, headers: SourceHeaders(allHeaders), body: body))
    }

    private func publish(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let newestNumber = versions(namespace).newest?.number ?? 0
        let condition = request.headers["If-Match"]
        guard condition == "*" || condition == etag(newestNumber) else {
            return Self.failure(
                412, "FAILED_PRECONDITION",
                condition == nil
                    ? "[FAILED_PRECONDITION]: If-Match is missing"
                    : "[VERSION_MISMATCH]: Expected \(condition ?? ""), but is \(etag(newestNumber))")
        }
        guard let root = request.json else {
            return Self.failure(400, "INVALID_ARGUMENT", "Invalid JSON payload received.")
        }
        for key in root["parameters"]?.members.map(\.key) ?? [] where key.string.first?.isNumber != false {
            return Self.failure(400, "INVALID_ARGUMENT", "[VALIDATION_ERROR]: the key \(key.quoted) is none")
        }
        let text = String(decoding: request.body, as: UTF8.self)
        guard request.query("validateOnly") != "true" else { return .json(text, headers: [("ETag", etag(0))]) }
        let origin = FirebaseVersions.Origin(
            type: condition == "*" ? "FORCED_UPDATE" : "INCREMENTAL_UPDATE",
            details: root["version"]?["description"]?.text?.string)
        return addVersion(text, to: namespace, origin)
    }

    private func addVersion(_ text: String, to namespace: Namespace, _ origin: FirebaseVersions.Origin) -> LoopbackReply
    {
        let version = add(text, to: namespace, origin)
        return .json(version.template(), headers: [("ETag", etag(version.number))])
    }

    private func rollBack(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        guard let number = request.json?["versionNumber"]?.flagText.flatMap({ Int($0.string) }) else {
            return Self.failure(400, "INVALID_ARGUMENT", "versionNumber is missing")
        }
        guard let version = versions(namespace).all.first(where: { $0.number == number }) else {
            return Self.failure(404, "NOT_FOUND", "[NOT_FOUND]: there is no version \(number)")
        }
        return addVersion(version.text, to: namespace, .init(type: "ROLLBACK", rollbackSource: number))
    }

    private func listVersions(_ namespace: Namespace, _ request: LoopbackRequest) -> LoopbackReply {
        let size = request.query("pageSize").map { Int($0) ?? 0 } ?? 10
        guard 1...300 ~= size else {
            return Self.failure(400, "INVALID_ARGUMENT", "pageSize must be between 1 and 300")
        }
        let versions = versions(namespace).all.reversed()
        let start = request.query("pageToken").flatMap { Int($0) } ?? 0
        let page = versions.dropFirst(start).prefix(size)
        let list: JSONOutput = page.isEmpty ? [:] : ["versions": .array(page.map(\.json))]
        let hasMore = start + size < versions.count
        return .document(list.adding(hasMore ? ["nextPageToken": .string(String(start + size))] : nil))
    }
}
#endif
