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
        request.body = JSONOutput.object(members).bytes
        return request
    }
}
