import FlagModel
public import FlagRemote

extension GrowthBookSettings {
    /// The source's name in messages, with the API host.
    var name: String { "growthbook:\(baseURL.authority)" }

    /// The request for all features: `GET /api/features/KEY`, or `POST /api/eval/KEY` for remote evaluation
    /// (`packages/sdk-js/src/feature-repository.ts`).
    ///
    /// - Parameter version: the ETag of the cached features; `nil` for a complete response.
    public func request(since version: String? = nil) -> SourceRequest {
        let operation = evaluation == .local ? "features" : "eval"
        let url = baseURL.adding(path: "/api/\(operation)/\(PercentEncoding.encoded(clientKey.reveal()))")
        var request = SourceRequest(source: name, url: url, headers: SourceHeaders([("Accept", "application/json")]))
        request.pathSecret = clientKey
        guard evaluation == .remote else {
            if let version { request.headers["If-None-Match"] = version }
            return request
        }
        request.method = .post
        request.headers["Content-Type"] = "application/json"
        // The members of `build_remote_eval_payload` in the Python SDK's `common_types.py`.
        let members: [(String, JSONOutput)] = [
            ("attributes", .raw(attributes.json)), ("forcedFeatures", .array([])), ("forcedVariations", .object([])),
            ("url", .string("")),
        ]
        request.body = Array(JSONOutput.object(members).text(indented: false).utf8)
        return request
    }

    /// The explanation in an error response, from `error` (GrowthBook) or `message` (GrowthBook Proxy).
    static func detail(_ response: SourceResponse) -> String? {
        guard let root = (try? JSONDocument(parsing: response.body))?.root else { return nil }
        return (root["error"] ?? root["message"])?.text?.string
    }

    /// The error in GrowthBook's terms and with a remedy, if the service rejects the SDK connection. In this case, the
    /// service responds with status 400 and a text (`getFeaturesPublic` in
    /// `packages/back-end/src/controllers/features.ts`, and `featuresController.ts` of growthbook-proxy).
    static func explaining(_ error: SourceError) -> SourceError {
        guard error.status == 400,
            let meaning = meanings.first(where: { error.sentence.lowercased().contains($0.words) })
        else { return error }
        var explained = SourceError(code: meaning.code, path: error.path, sentence: meaning.sentence)
        explained.status = error.status
        return explained
    }

    private static let meanings: [(words: String, code: SourceError.Code, sentence: String)] = [
        (
            "api key", .refused,
            "the service does not know this client key (HTTP status 400); copy the client key of an SDK connection "
                + "from GrowthBook"
        ),
        ("remote evaluation required", .rejected, remoteOnly), ("remote eval not supported", .rejected, remoteOnly),
        ("remote eval required", .rejected, localOnly),
        (
            "failed to get evaluated features", .rejected,
            "the server could not evaluate the features (HTTP status 400); check the client key, and check that remote "
                + "evaluation is on for the SDK connection in GrowthBook"
        ),
    ]

    private static let remoteOnly =
        "this SDK connection requires remote evaluation (HTTP status 400); turn remote evaluation on for this source "
        + "(remoteEval), or off for the SDK connection in GrowthBook"
    private static let localOnly =
        "the server does not evaluate features for this SDK connection (HTTP status 400); turn remote evaluation off "
        + "for this source (remoteEval), or on for the SDK connection in GrowthBook"
}
