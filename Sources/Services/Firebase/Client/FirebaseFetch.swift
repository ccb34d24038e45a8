import FlagFormats
import FlagModel
import FlagRemote

extension FirebaseClientSettings {
    /// The request for values.
    ///
    /// - Parameter type: the reason for the request; see ``FirebaseClientSource/fetchValues(since:_:_:)``.
    func fetchRequest(_ installation: FirebaseInstallation, since etag: String?, _ type: String) -> SourceRequest {
        var members: [(String, JSONOutput)] = [
            ("app_id", .string(app.appID)), ("app_instance_id", .string(installation.id)),
            ("app_instance_id_token", .string(installation.token.secret.reveal())),
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
        var request = request(baseURL, app.projectID, "/namespaces/firebase:fetch", members)
        authenticate(&request, as: installation, since: etag)
        request.headers["X-Firebase-RC-Fetch-Type"] = type
        return request
    }

    /// The request for realtime updates.
    ///
    /// - Parameter version: the version of the template that the source has values of.
    func realtimeRequest(_ installation: FirebaseInstallation, since etag: String?, version: Int) -> SourceRequest {
        // The project's number, as in the SDK for iOS; the SDK for the web uses the project's id.
        let project = app.projectNumber ?? app.projectID
        var request = request(
            realtimeURL, project, "/namespaces/firebase:streamFetchInvalidations",
            [
                ("project", .string(project)), ("namespace", .string("firebase")),
                ("lastKnownVersionNumber", .string(String(version))), ("appId", .string(app.appID)),
                ("sdkVersion", .string(Self.sdkVersion)), ("appInstanceId", .string(installation.id)),
            ])
        authenticate(&request, as: installation, since: etag)
        request.headers["X-Google-GFE-Can-Retry"] = "true"
        return request
    }

    private func authenticate(
        _ request: inout SourceRequest, as installation: FirebaseInstallation, since etag: String?
    ) {
        request.url = request.url.adding(query: "key", app.apiKey.reveal())
        request.headers.set("X-Goog-Firebase-Installations-Auth", secret: installation.token.secret)
        request.headers["If-None-Match"] = etag
    }

    /// A request about a project.
    func request(
        _ base: SourceURL, _ project: String, _ path: String, _ members: [(String, JSONOutput)]
    ) -> SourceRequest {
        SourceRequest(
            json: name, url: base.adding(path: "/v1/projects/\(PercentEncoding.encoded(project))\(path)"),
            headers: clientHeaders, body: .object(members))
    }
}

/// Decodes the flags of a response. The service sends no types and no descriptions.
enum FirebaseFetchFlags {
    /// The category of all flags.
    private static let category: FlagText = "Parameters"

    /// The result of a fetch, and the version of the template that the values are from.
    ///
    /// - Parameters:
    ///   - response: the response, with a status of 2xx or 304.
    ///   - etag: the ETag in the request.
    ///   - source: the source's name in errors.
    ///   - masking: removes credentials from texts of the service.
    /// - Throws: why the response is not valid.
    static func result(
        _ response: SourceResponse, since etag: String?, of source: String, masking: (String) -> String
    ) throws(SourceError) -> (FetchResult, templateVersion: Int?) {
        if response.status == 304 { return (try FetchResult(response, since: etag, of: source), nil) }
        let root = try SourceError.reading(source, value: try FirebaseFetchFlags.root(of: response.body))
        switch root["state"]?.text?.string {
        case "UPDATE", "EMPTY_CONFIG", "NO_TEMPLATE":
            return (.values(response.body, version: response.headers["ETag"]), templateVersion(root))
        case "NO_CHANGE" where etag != nil: return (.unchanged, templateVersion(root))
        case "NO_CHANGE":
            throw SourceError(
                .malformed, of: source,
                "Firebase says that nothing has changed, but the request was unconditional; retry later")
        default:
            // The SDK for the web treats an unknown state as a failure, the SDK for iOS as no change; in both cases the
            // values in use stay.
            let state = root["state"]?.text.map { JSONOutput.quoted(masking($0.string), limit: 60) } ?? "none"
            throw SourceError(.faulty, of: source, "Firebase responded with an unknown state (\(state)); retry later")
        }
    }

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
