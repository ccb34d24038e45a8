#if Network
import FlagModel
import FlagRemote
import FlagSourceStatsig
import FlagTesting
import Testing
import VendorServers

/// Statsig: requests, and flags from responses.
struct StatsigTests {
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
        let metadata = #"{"sdkType":"flagmenu","sdkVersion":"0.2.0","stableID":"flagmenu"}"#
        #expect(
            request.lines == [
                "POST https://featureassets.org/v1/initialize", "Accept: application/json",
                "Content-Type: application/json", "STATSIG-API-KEY: client-hush (secret)", "STATSIG-SDK-TYPE: flagmenu",
                "STATSIG-SDK-VERSION: 0.2.0",
                #"{"user":\#(user),"hash":"none","statsigMetadata":\#(metadata),"sinceTime":0}"#,
            ])
        #expect(request.source == "statsig:featureassets.org")
    }

    @Test func `with names in the settings, hashes are requested`() throws {
        let request = try settings { $0.names = ["a"] }.request()
        #expect(body(request).contains(#""hash":"djb2""#))
    }

    @Test func `the version of cached values is sent as by the SDKs; another format is not sent`() throws {
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
    func `a hash that was not requested is an error, even an unnamed one`(hash: String) async throws {
        let body = #"{"has_updates": true, "feature_gates": {}, "dynamic_configs": {}, "layer_configs": {}\#(hash)}"#
        let error = try await source(.document(body)) { $0.names = ["a"] }.fetchError()
        #expect(error?.code == .rejected && error?.sentence.contains("\"sha256\"") == true)
    }

    @Test func `a response without updates means no change, but only if the request had a version`() async throws {
        let source = try source(.document(#"{"has_updates": false}"#))
        #expect(try await source.fetch(since: #"{"sinceTime":1}"#) == .unchanged)
        for version in [nil, "unknown"] {
            let error = await source.fetchError(since: version)
            #expect(error?.code == .malformed && error?.sentence.contains("check the client key") == true)
        }
    }

    private func document(
        gates: String = "", configs: String = "", layers: String = "", names: [String] = [], prefix: String = ""
    ) throws -> RemoteDocument {
        try StatsigFlags.document(
            Array(Self.response(gates: gates, configs: configs, layers: layers).utf8), names: names, keyPrefix: prefix)
    }

    private static func response(
        gates: String = "", configs: String = "", layers: String = "", more: String = ""
    ) -> String {
        #"{"has_updates": true, "feature_gates": {\#(gates)}, "dynamic_configs": {\#(configs)}, "#
            + #""layer_configs": {\#(layers)}\#(more)}"#
    }

    /// The catalog is a parameter of the dynamic config with the same name.
    private static let catalog = #"{"value": {"config_categories": \#(ResponseConformanceSuite.catalog)}}"#

    @Test func `only responses that follow the protocol are read, and a catalog arranges the flags`() throws {
        try ResponseConformanceSuite(
            rejected: [
                "[]", "{}", #"{"has_updates": false}"#, #"{"has_updates": true}"#, #"{"success": true}"#,
                #"{"has_updates": true, "feature_gates": [], "dynamic_configs": {}, "layer_configs": {}}"#,
            ],
            // A format that SDKs never request.
            explained: [
                Self.response(gates: #""on": {"v": true}"#, more: #", "response_format": "init-v2""#): "init-v2"
            ],
            empty: [Self.response(), Self.response(gates: #""config_categories": {"value": true}"#)],
            full: Self.response(
                gates: #""shop.a": {"value": true}, "b": {"value": true}"#,
                configs: #""config_categories": \#(Self.catalog)"#)
        ) { try StatsigFlags.document($0, keyPrefix: $1) }.run()
    }

    @Test func `the catalog is also read among hashed names`() throws {
        let document = try document(
            gates: #""shop.a": {"value": true}, "b": {"value": true}"#, configs: #""351460153": \#(Self.catalog)"#,
            names: ["shop.a"], prefix: "shop.")
        #expect(document.values.keys.map(\.string) == ["shop.a"] && document.issues.isEmpty)
        #expect(document.catalog?.item("shop.a")?.title == "Places")
    }

    @Test func `a feature gate is a bool with its rule and ID type`() throws {
        let document = try document(
            gates: #"""
                "a": {"name": "a", "value": true, "rule_id": "r:50.00:4", "id_type": "stableID", "secondary_exposures": []},
                "b": {"name": "b", "value": false, "rule_id": "default", "id_type": "userID", "secondary_exposures": []}
                """#)
        #expect(
            document.lines == [
                "Feature gates | a | bool | true | true/false | - | rule r:50.00:4, by stableID",
                "Feature gates | b | bool | false | true/false | - | rule default, by userID",
            ])
    }

    @Test func `configs, experiments and layers are JSON objects, each kind in its category`() throws {
        let document = try document(
            configs: #"""
                "colors": {"value": {"hex": "#00f", "sizes": [1, 2]}, "rule_id": "default", "passed": false},
                "price": {"value": {"price": 7.5}, "rule_id": "r", "group_name": "Control", "is_experiment_active": true,
                          "is_user_in_experiment": true},
                "later": {"value": {}, "rule_id": "prestart", "is_experiment_active": false, "is_user_in_experiment": false},
                "forced": {"value": {}, "rule_id": "o", "is_experiment_active": true, "is_user_in_experiment": false}
                """#,
            layers: #""home": {"value": {"title": "Hi"}, "rule_id": "r", "allocated_experiment_name": "price"}"#)
        #expect(
            document.lines == [
                ##"Dynamic configs | colors | json | {"hex":"#00f","sizes":[1,2]} | - | - | rule default"##,
                #"Experiments | price | json | {"price":7.5} | - | - | group Control, rule r"#,
                "Experiments | later | json | {} | - | - | rule prestart, not active",
                "Experiments | forced | json | {} | - | - | rule o, user not in the experiment",
                #"Layers | home | json | {"title":"Hi"} | - | - | rule r"#,
            ])
    }

    @Test func `the names in the settings identify the hashed names of a recorded response`() throws {
        // From `initialize.json` of js-client-monorepo, a response for Statsig's demo project.
        let gates = #"""
            "2867927529": {"name": "2867927529", "value": true, "rule_id": "2QWhVkWdUEXR6Q3KYgV73O:100.00:4", "id_type": "userID"},
            "610600137": {"name": "610600137", "value": true, "rule_id": "59nkHdlmIytrqNG9iT7gkd:50.00:4", "id_type": "userID"}
            """#
        let configs = ##"""
            "3495537376": {"name": "3495537376", "value": {"red": "#FF0000", "blue": "#00FF00", "green": "#0000FF"}},
            "3921852239": {"name": "3921852239", "value": {"a_string": "Experiment Test Value", "my_obj": {}}}
            """##
        let layers =
            #""3011030003": {"name": "3011030003", "value": {"a_string": "Experiment Test Value", "my_obj": {}}}"#
        let names = ["a_gate", "a_dynamic_config", "an_experiment", "a_layer", "gone", "other"]
        let document = try document(gates: gates, configs: configs, layers: layers, names: names)
        #expect(document.values.keys.map(\.string) == ["a_gate", "a_dynamic_config", "an_experiment", "a_layer"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 2 && sentences[0].contains(#"is named "gone""#), "\(sentences)")
        let prefixed = try self.document(gates: gates, names: ["a_gate", "other"], prefix: "a_")
        #expect(prefixed.values.keys.map(\.string) == ["a_gate"] && prefixed.issues.isEmpty)
        let unicode = try self.document(gates: #""2015071": {"value": true}"#, names: ["ü😀"])
        #expect(unicode.values["ü😀"] == "true", "the hash is over UTF-16 code units")
        let readable = try self.document(gates: #""a": {"value": true}, "b": {"value": true}"#, names: ["a"])
        #expect(readable.values.keys.map(\.string) == ["a"])
    }

    @Test func `a flag with an unusable value, or with the name of another flag, is left out with a warning`() throws {
        let document = try document(
            gates: #""a": {"value": "yes"}, "b": true, "c": {"value": true}, "": {"value": true}"#,
            configs: #""d": {"value": 3}, "e": {}, "c": {"value": {}}"#, layers: #""f": {"value": {}}"#)
        #expect(document.values.keys.map(\.string) == ["c", "f"])
        let sentences = document.issues.map(\.description)
        #expect(sentences.count == 6 && sentences[0].contains(#"the gate "a" was left out"#), "\(sentences)")
        #expect(sentences.contains { $0.contains("without a name") })
        #expect(
            sentences.contains {
                $0.contains(#""c" is the name of several flags: the one in "Feature gates" is used"#)
            })
    }
}
#endif
