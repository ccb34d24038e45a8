import FlagModel
public import FlagRemote

extension GrowthBookSettings {
    /// The source's name in messages, with the API host.
    var name: String { "growthbook:\(baseURL.authority)" }

    /// The request for all features: `GET /api/features/KEY`, or `POST /api/eval/KEY` for remote evaluation
    /// (`packages/sdk-js/src/feature-repository.ts`).
    ///
    /// - Parameter version: the ETag of the cached features; `nil` for a complete response, and for remote evaluation.
    public func request(since version: String? = nil) -> SourceRequest {
        let operation = evaluation == .local ? "features" : "eval"
        let url = baseURL.adding(path: "/api/\(operation)/\(PercentEncoding.encoded(clientKey.reveal()))")
        // The members of `build_remote_eval_payload` in the Python SDK's `common_types.py`.
        let body = JSONOutput.object([
            ("attributes", .raw(attributes.json)), ("forcedFeatures", .array([])), ("forcedVariations", .object([])),
            ("url", .string("")),
        ])
        var request = SourceRequest(json: name, url: url, body: evaluation == .local ? nil : body, since: version)
        request.pathSecret = clientKey
        return request
    }
}
