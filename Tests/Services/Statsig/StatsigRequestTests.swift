#if Network
import FlagModel
import FlagRemote
import FlagSourceStatsig
import FlagTesting
import Testing
import VendorServers

/// Statsig: requests and errors.
struct StatsigRequestTests {
    private func settings(
        _ url: String = StatsigSettings.defaultBaseURL, key: String = "client-hush",
        _ change: (inout StatsigSettings) -> Void = { _ in }
    ) throws -> StatsigSettings {
        var settings = try StatsigSettings(clientKey: Secret(key), baseURL: url)
        change(&settings)
        return settings
    }

    private func source(
        _ transport: ScriptedTransport = .init([]), key: String = "client-hush",
        _ change: (inout StatsigSettings) -> Void = { _ in }
    ) throws -> StatsigSource {
        StatsigSource(try settings(key: key, change), client: SourceClient(transport: transport, retry: .none))
    }

    private func body(_ request: SourceRequest) -> String { request.lines.last ?? "" }

    @Test func `a request has the user, the hash and the metadata in the body, and the key in a header`() throws {
        let request = try settings {
            $0.user = StatsigUser(userID: "u1")
            $0.user.customIDs["companyID"] = "c1"
            $0.user.custom = ["plan": "pro", "age": 42]
            $0.user.privateAttributes = ["beta": true]
            $0.environment = "staging"
        }.request()
        let ids = #"{"companyID":"c1","stableID":"flagmenu"}"#
        let attributes = #""custom":{"age":42,"plan":"pro"},"privateAttributes":{"beta":true}"#
        let user = #"{"userID":"u1","customIDs":\#(ids),\#(attributes),"statsigEnvironment":{"tier":"staging"}}"#
        let metadata = #"{"sdkType":"flagmenu","sdkVersion":"0.1.0","stableID":"flagmenu"}"#
        #expect(
            request.lines == [
                "POST https://featureassets.org/v1/initialize", "Accept: application/json",
                "Content-Type: application/json", "STATSIG-API-KEY: client-hush (secret)", "STATSIG-SDK-TYPE: flagmenu",
                "STATSIG-SDK-VERSION: 0.1.0",
                #"{"user":\#(user),"hash":"none","statsigMetadata":\#(metadata),"sinceTime":0}"#,
            ])
        #expect(request.source == "statsig:featureassets.org")
    }

    @Test func `with names in the settings, hashes are requested`() throws {
        let request = try settings { $0.names = ["a"] }.request()
        #expect(body(request).contains(#""hash":"djb2""#))
    }

    @Test func `the version of cached values is sent as the SDKs send it; a text in another format is not sent`() throws
    {
        let version = #"{"sinceTime":17,"previousDerivedFields":{"country":"US"},"full_checksum":"9"}"#
        let known = body(try settings().request(since: version))
        #expect(known.hasSuffix(#","sinceTime":17,"previousDerivedFields":{"country":"US"},"full_checksum":"9"}"#))
        for version in ["", "17", "\"x\"", "{}", #"{"sinceTime":"x"}"#] {
            #expect(body(try settings().request(since: version)).hasSuffix(#","sinceTime":0}"#), "\(version)")
        }
    }

    @Test(arguments: [
        ("{}", #"{"customIDs":{"stableID":"flagmenu"}}"#),
        (
            #"{"userID": 7, "stableID": "s", "plan": "pro", "custom": {"age": 4.5, "teams": ["a"]}}"#,
            #"{"userID":"7","customIDs":{"stableID":"s"},"custom":{"age":4.5,"plan":"pro","teams":["a"]}}"#
        ),
        (
            #"{"email": "a@b", "ip": "1.2.3.4", "userAgent": "ua", "country": "FR", "locale": "fr", "appVersion": "2.1"}"#,
            #"{"appVersion":"2.1","country":"FR","email":"a@b","ip":"1.2.3.4","locale":"fr","userAgent":"ua","customIDs":{"stableID":"flagmenu"}}"#
        ),
        (
            #"{"customIDs": {"companyID": "c"}, "privateAttributes": {"x": true}}"#,
            #"{"customIDs":{"companyID":"c","stableID":"flagmenu"},"privateAttributes":{"x":true}}"#
        ),
        ("[]", nil), (#"{"userID": null}"#, nil), (#"{"userID": ["a"]}"#, nil), (#"{"userId": "1"}"#, nil),
        (#"{"custom": 1}"#, nil), (#"{"custom": {"a": {}}}"#, nil), (#"{"plan": [1]}"#, nil),
        (#"{"customIDs": {"a": []}}"#, nil), (#"{"stableID": {}}"#, nil),
    ])
    func `unknown members of a user are custom attributes; wrong types and spellings are rejected`(
        json: String, expected: String?
    ) throws {
        let user = StatsigUser(try JSONDocument(parsing: Array(json.utf8)).root)
        let request = try user.map { user in try settings { $0.user = user }.request() }
        let sent = try request.map { try JSONDocument(parsing: $0.body).root["user"] }
        #expect(sent??.source == expected)
    }

    @Test(arguments: [
        ("https://x/v1", "/v1/initialize"), ("https://x/v1/initialize/", "/v1/initialize"),
        ("https://x/", "/initialize"), ("https://x/initialize", "/initialize"),
    ])
    func `the base URL may be a proxy's URL, with or without the endpoint`(url: String, path: String) throws {
        #expect(try settings(url).request().url.path == path)
    }

    @Test(arguments: ["secret-hush", "console-hush"])
    func `a server secret key and a console key are rejected, and not shown`(key: String) {
        let error = #expect(throws: SourceError.self) { try StatsigSettings(clientKey: Secret(key)) }
        #expect(error?.description.contains("use a client key") == true && error?.description.contains("hush") == false)
    }

    @Test func `identities differ by project, user, environment and hash, and contain no users or secrets`() throws {
        let first = try source().identity
        let others = [
            try source(key: "client-other"), try source { $0.user.userID = "ana" },
            try source { $0.environment = "staging" }, try source { $0.names = ["a"] },
        ].map(\.identity)
        #expect(Set(others + [first]).count == 5 && !others.contains { $0.text.contains("ana") })
        #expect(!first.text.contains("hush") && first.text.hasPrefix("statsig:https://featureassets.org/v1#"))
        #expect(
            try source { $0.names = ["b", "c"] }.identity == others[3],
            "a response with hashes has the flags of all names")
        let unknown = try source(key: "").identity
        #expect(first.text.hasPrefix("\(unknown)."), "without a key, cached values are found by this prefix")
    }

    @Test func `the default poll interval is 60 seconds; nil turns polling off`() throws {
        #expect(try source().pollInterval == .seconds(60))
        #expect(try source { $0.pollInterval = nil }.pollInterval == nil)
    }

    @Test(arguments: [#", "hash_used": "sha256""#, ""])
    func `a hash that was not requested is an error, even if the service does not name the hash`(hash: String)
        async throws
    {
        let body = #"{"has_updates": true, "feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}\#(hash)}"#
        let error = try await source(.document(body)) { $0.names = ["a"] }.fetchError()
        #expect(error?.code == .rejected && error?.sentence.contains("\"sha256\"") == true)
    }

    @Test func `a response without updates means that nothing has changed, but only if the request had a version`()
        async throws
    {
        let source = try source(.document(#"{"has_updates": false}"#))
        #expect(try await source.fetch(since: #"{"sinceTime":1}"#) == .unchanged)
        for version in [nil, "unknown"] {
            let error = await source.fetchError(since: version)
            #expect(error?.code == .malformed && error?.sentence.contains("check the client key") == true)
        }
    }
}
#endif
