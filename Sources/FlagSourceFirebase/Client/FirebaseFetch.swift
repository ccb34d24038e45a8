import FlagModel
import FlagRemote

extension FirebaseClientSettings {
    /// Why values are requested, as the service is informed.
    enum FetchType: Sendable {
        /// A user or the app wants them.
        case base
        /// The service has reported a change; counts the requests since.
        case realtime(attempt: Int)

        var text: String {
            switch self {
            case .base: "BASE/1"
            case .realtime(let attempt): "REALTIME/\(attempt)"
            }
        }
    }

    /// The request for values.
    func fetchRequest(
        _ installation: FirebaseInstallation, since etag: String?, _ type: FetchType
    ) -> SourceRequest {
        let project = PercentEncoding.encoded(app.projectID)
        var headers = clientHeaders
        headers.set("X-Goog-Firebase-Installations-Auth", secret: installation.token)
        headers["X-Firebase-RC-Fetch-Type"] = type.text
        if let etag { headers["If-None-Match"] = etag }
        var members: [(String, JSONOutput)] = [
            ("app_id", .string(app.appID)), ("app_instance_id", .string(installation.id)),
            ("app_instance_id_token", .string(installation.token.reveal())),
            ("sdk_version", .string(Self.sdkVersion)),
        ]
        if let bundle = app.bundleID { members.append(("package_name", .string(bundle))) }
        for name in FirebaseDevice.names {
            guard let text = device.facts[name] else { continue }
            members.append((name, .string(name == "country_code" ? text.lowercased() : text)))
        }
        for (name, texts) in [
            ("analytics_user_properties", device.userProperties), ("custom_signals", device.customSignals),
        ] where !texts.isEmpty {
            members.append((name, .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })))
        }
        let path = "/v1/projects/\(project)/namespaces/firebase:fetch"
        return SourceRequest(
            source: name, method: .post, url: baseURL.adding(path: path).adding(query: "key", app.apiKey.reveal()),
            headers: headers, body: Array(JSONOutput.object(members).text(indented: false).utf8))
    }
}

/// A response of the service for apps.
struct FirebaseFetchAnswer: Sendable {
    /// The response for the engine.
    let answer: SourceAnswer
    /// The number of the template that the values come from; `nil` if the service does not send it.
    let templateVersion: Int?

    /// Decodes a response.
    ///
    /// - Parameters:
    ///   - response: the response, with a status of 2xx or 304.
    ///   - etag: the ETag in the request.
    ///   - source: the source, as messages name it.
    ///   - masking: removes credentials from the service's texts.
    /// - Throws: why it is not valid.
    init(
        _ response: SourceResponse, since etag: String?, of source: String, masking: (String) -> String = { $0 }
    ) throws(SourceError) {
        if response.status == 304 {
            answer = try SourceAnswer(response, since: etag, of: source)
            templateVersion = nil
            return
        }
        let root = try SourceError.reading(source) { () throws(DocumentError) in
            try FirebaseFetchFlags.root(of: response.body)
        }
        templateVersion = FirebaseFetchFlags.templateVersion(root)
        switch root["state"]?.text?.string {
        case "UPDATE", "EMPTY_CONFIG", "NO_TEMPLATE":
            answer = .values(response.body, version: response.headers["ETag"])
        case "NO_CHANGE" where etag != nil: answer = .unchanged
        case "NO_CHANGE":
            throw SourceError(
                code: .malformed, path: source,
                sentence: "Firebase says that nothing has changed, but the request was unconditional; retry later")
        default:
            // The SDK for the web treats it as a failure, that for iOS keeps its values: both have the same effect
            // here.
            let state = root["state"]?.text.map { JSONOutput.quoted(masking($0.string), limit: 60) } ?? "none"
            throw SourceError(
                code: .faulty, path: source,
                sentence: "Firebase responded with an unknown state (\(state)); retry later")
        }
    }
}

/// Decodes the flags of a response. The service sends no types and no descriptions.
enum FirebaseFetchFlags {
    /// The category of all flags.
    private static let category: FlagText = "Parameters"

    /// The root object of a response.
    static func root(of bytes: [UInt8]) throws(DocumentError) -> JSONValue {
        let root = try JSONDocument(document: bytes).root
        guard root.kind == .object, root["state"] != nil || root["entries"] != nil else {
            throw .unknownShape(
                "the response has no \"state\" and no \"entries\"; is this the URL of Remote Config for apps?")
        }
        return root
    }

    /// The number of the template that a response comes from; `nil` if the service does not send it.
    static func templateVersion(_ root: JSONValue) -> Int? {
        root["templateVersion"]?.flagText.flatMap { Int($0.string) }
    }

    /// The document of a response.
    ///
    /// - Parameter prefix: the prefix that keys must have.
    static func document(_ root: JSONValue, keyPrefix prefix: String = "") -> RemoteDocument {
        var flags = EvaluatedFlags()
        let isEmpty = ["EMPTY_CONFIG", "NO_TEMPLATE"].contains(root["state"]?.text?.string)
        let notes = notes(root)
        for (key, value) in isEmpty ? [] : members(root["entries"]) where key.isMeant(byPrefix: prefix) {
            guard let text = value.text else {
                flags.leaveOut("the value of \(key.quoted) is \(value.kindWords) and was left out; expected a string")
                continue
            }
            let note = (notes[key] ?? []).joined(separator: ", ")
            flags.add(FlagItem(key: key), value: text, note: note.isEmpty ? nil : FlagText(note), category: category)
        }
        return RemoteDocument(flags)
    }

    private static func members(_ object: JSONValue?) -> [(key: FlagText, value: JSONValue)] {
        object.map { Array($0.members) } ?? []
    }

    /// What besides the template has affected values, such as `rollout rollout_1, control`.
    private static func notes(_ root: JSONValue) -> [FlagText: [String]] {
        var notes: [FlagText: [String]] = [:]
        func list(_ member: String, _ word: String, _ id: String) {
            for entry in root[member].map({ Array($0.elements) }) ?? [] {
                let names = [entry[id]?.text?.string, entry["variantId"]?.text?.string].compactMap { $0 }
                for key in entry["affectedParameterKeys"].map({ $0.elements.compactMap(\.text) }) ?? [] {
                    notes[key, default: []].append("\(word) \(names.joined(separator: ", variant "))")
                }
            }
        }
        list("experimentDescriptions", "experiment", "experimentId")
        list("rolloutMetadata", "rollout", "rolloutId")
        for (key, entry) in members(root["personalizationMetadata"]) {
            let id = entry["personalizationId"]?.text.map { " \($0.string)" } ?? ""
            notes[key, default: []].append("personalization\(id)")
        }
        return notes
    }
}
