import FlagFormats
import FlagModel
import FlagRemote

extension FirebaseClientSettings {
    /// The reason for a request, which is sent to the service.
    enum FetchType: Sendable {
        /// The user or the app requests the values.
        case base
        /// The service has reported a change; `attempt` counts the requests since that report, from 1.
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
            members.append((name, .object(texts.sortedByKey.map { ($0.key, .string($0.value)) })))
        }
        let path = "/v1/projects/\(project)/namespaces/firebase:fetch"
        return SourceRequest(
            source: name, method: .post, url: baseURL.adding(path: path).adding(query: "key", app.apiKey.reveal()),
            headers: headers, body: Array(JSONOutput.object(members).text(indented: false).utf8))
    }
}

/// A response of the service for apps.
struct FirebaseFetchResponse: Sendable {
    /// The response for the engine.
    let result: FetchResult
    /// The version of the template that the values are from; `nil` if the service does not send it.
    let templateVersion: Int?

    /// Decodes a response.
    ///
    /// - Parameters:
    ///   - response: the response, with a status of 2xx or 304.
    ///   - etag: the ETag in the request.
    ///   - source: the source's name in errors.
    ///   - masking: removes credentials from texts of the service.
    /// - Throws: why the response is not valid.
    init(
        _ response: SourceResponse, since etag: String?, of source: String, masking: (String) -> String = { $0 }
    ) throws(SourceError) {
        if response.status == 304 {
            result = try FetchResult(response, since: etag, of: source)
            templateVersion = nil
            return
        }
        let root = try SourceError.reading(source) { () throws(DocumentError) in
            try FirebaseFetchFlags.root(of: response.body)
        }
        templateVersion = FirebaseFetchFlags.templateVersion(root)
        switch root["state"]?.text?.string {
        case "UPDATE", "EMPTY_CONFIG", "NO_TEMPLATE":
            result = .values(response.body, version: response.headers["ETag"])
        case "NO_CHANGE" where etag != nil: result = .unchanged
        case "NO_CHANGE":
            throw SourceError(
                code: .malformed, path: source,
                sentence: "Firebase says that nothing has changed, but the request was unconditional; retry later")
        default:
            // The SDK for the web treats an unknown state as a failure, the SDK for iOS as no change; in both cases the
            // values in use stay.
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

    /// The version of the template that a response is from; `nil` if the service does not send it.
    static func templateVersion(_ root: JSONValue) -> Int? {
        root["templateVersion"]?.flagText.flatMap { Int($0.string) }
    }

    /// The document of a response.
    ///
    /// - Parameter prefix: the prefix of the keys to read.
    static func document(_ root: JSONValue, keyPrefix prefix: String = "") -> RemoteDocument {
        var flags = EvaluatedFlags()
        let isEmpty = ["EMPTY_CONFIG", "NO_TEMPLATE"].contains(root["state"]?.text?.string)
        let notes = notes(root)
        for (key, value) in isEmpty ? [] : root.members(of: "entries") where key.isMeant(byPrefix: prefix) {
            guard let text = value.text else {
                flags.warn("the value of \(key.quoted) is \(value.kindWords) and was left out; expected a string")
                continue
            }
            let note = (notes[key] ?? []).joined(separator: ", ")
            flags.add(FlagItem(key: key), value: text, note: note.isEmpty ? nil : FlagText(note), category: category)
        }
        return RemoteDocument(flags)
    }

    /// The experiments, rollouts and personalizations that affect each key, such as `rollout rollout_1, variant
    /// control`.
    private static func notes(_ root: JSONValue) -> [FlagText: [String]] {
        var notes: [FlagText: [String]] = [:]
        func addNotes(_ member: String, _ word: String, _ id: String) {
            for entry in root[member].map({ Array($0.elements) }) ?? [] {
                let names = [entry[id]?.text?.string, entry["variantId"]?.text?.string].compactMap { $0 }
                for key in entry["affectedParameterKeys"].map({ $0.elements.compactMap(\.text) }) ?? [] {
                    notes[key, default: []].append("\(word) \(names.joined(separator: ", variant "))")
                }
            }
        }
        addNotes("experimentDescriptions", "experiment", "experimentId")
        addNotes("rolloutMetadata", "rollout", "rolloutId")
        for (key, entry) in root.members(of: "personalizationMetadata") {
            let id = entry["personalizationId"]?.text.map { " \($0.string)" } ?? ""
            notes[key, default: []].append("personalization\(id)")
        }
        return notes
    }
}
