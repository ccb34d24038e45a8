#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// No output and no file contains a credential, even if a service sends back the whole request.
@Suite(.limitedParallelism) struct CredentialLeakTests {
    private let workplace = Workplace()

    private static let variables: [String: String?] = [
        "OFREP_TOKEN": "hush-ofrep-token", "OFREP_API_KEY": "hush-ofrep-key",
        "OFREP_HEADERS": "X-Shop=hush-ofrep-header", "UNLEASH_FRONTEND_TOKEN": "hush-unleash-token",
        "LAUNCHDARKLY_MOBILE_KEY": "hush-mobile-key", "LAUNCHDARKLY_SECURE_MODE_HASH": "hush-secure-hash",
        "GROWTHBOOK_CLIENT_KEY": "hush-growthbook-key",
        "SPLIT_EVALUATOR_AUTH_TOKEN": "hush-split-token", "CLOUDKIT_API_TOKEN": "hush-cloudkit-token",
        "FLAGSMITH_ENVIRONMENT_KEY": "hush-flagsmith-key",
        "STATSIG_CLIENT_KEY": "hush-statsig-key",
        "CLOUDKIT_KEY_ID": "hush-cloudkit-key-id", "GOOGLE_OAUTH_ACCESS_TOKEN": "hush-google-token",
        "POSTHOG_PROJECT_API_KEY": "phc_hush-posthog-key",
    ]

    /// A response with the whole request in every member in which a service describes an error.
    private static func echo(_ request: LoopbackRequest, status: Int) -> LoopbackReply {
        let reported =
            (["\(request.path)?\(request.query ?? "")"] + request.headers.fields.map { "\($0.name): \($0.value)" }
            + [String(decoding: request.body, as: UTF8.self)])
            .joined(separator: " ")
        let quoted = reported.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let members = [
            "errorCode", "errorDetails", "message", "reason", "serverErrorCode", "uuid", "name", "details", "state",
            "status", "error_description", "token_type", "detail",
        ]
        let texts = members.map { "\"\($0)\": \"\(quoted)\"" }.joined(separator: ", ")
        // Google's services have an object here, all others a text.
        let isGoogle = request.path.hasPrefix("/v1/projects/")
        let error = isGoogle ? "{\(texts)}" : "\"\(quoted)\""
        return .json("{\(texts), \"error\": \(error), \"value\": \"\(quoted)\"}", status: status)
    }

    /// Writes files with credentials to a separate folder. Returns the secrets that must not appear anywhere.
    private func writeFiles(_ url: String) async throws -> [String] {
        let apps = try await LoopbackFirebaseApps([:])
        workplace.write(apps.googleServicesFile, to: "secrets/google-services.json")
        workplace.write(apps.propertyList, to: "secrets/GoogleService-Info.plist")
        let project = try await LoopbackFirebase()
        workplace.write(project.serviceAccountFile(for: url), to: "secrets/account.json")
        workplace.shell("openssl ecparam -name prime256v1 -genkey -noout -out secrets/key.pem").expect(0)
        let key = try #require(workplace.read("secrets/key.pem")?.split(separator: "\n").dropFirst().first)
        return ["hush", LoopbackFirebaseApps.apiKey, project.serviceAccountSecret, String(key), Self.assertion]
    }

    /// The start of every JSON Web Token that a service account signs: its first member is `alg`.
    private static let assertion = "eyJhbGciOi"

    /// The sources of a project: every kind, with every kind of credential.
    private static func sources(_ url: String) -> [String] {
        [
            #""ofrep:\#(url)""#, #""unleash:\#(url)""#, #""split:\#(url)""#, #""posthog:\#(url)""#,
            #""statsig:\#(url)""#,
            #""flagsmith:\#(url)""#, #"{"source": "flagsmith:\#(url)", "context": {"identifier": "u"}}"#,
            #""growthbook:\#(url)""#, #"{"source": "growthbook:\#(url)", "remoteEval": "yes"}"#,
            #"{"source": "launchdarkly:env", "url": "\#(url)"}"#,
            #"{"source": "launchdarkly:other", "url": "\#(url)", "useREPORT": "yes"}"#,
            #"{"source": "cloudkit:iCloud.example", "url": "\#(url)"}"#,
            #"{"source": "cloudkit:iCloud.signed", "url": "\#(url)", "privateKeyFile": "secrets/key.pem"}"#,
        ] + firebaseSources(url)
    }

    private static func firebaseSources(_ url: String) -> [String] {
        [
            #"{"source": "firebase:shop", "url": "\#(url)"}"#,
            #"""
            {"source": "firebase:shop", "url": "\#(url)", "namespace": "server",
             "serviceAccountFile": "secrets/account.json"}
            """#,
            #"{"source": "firebase:shop", "url": "\#(url)", "appFile": "secrets/google-services.json"}"#,
            #"{"source": "firebase:shop", "url": "\#(url)", "appFile": "secrets/GoogleService-Info.plist"}"#,
        ]
    }

    private static let lines = [
        "doctor", "doctor --json", "fetch", "fetch --json", "status", "status --json", "status --files",
        "status --files --json",
        "list",
        "explain a --json", "context --json", "--read-only activate",
    ]

    private func project(_ sources: [String]) {
        workplace.writeSources(sources, environment: Self.variables)
    }

    /// The output of the commands and of the menu.
    private func outputs(_ lines: [String], _ environment: [String: String?]) -> String {
        var output = ""
        for line in lines {
            let run = workplace.flagmenu(
                line.split(separator: " ").map(String.init), environment: environment, timeout: 120)
            output += "\(line): \(run.text)\(run.errorText)\n"
        }
        let menu = workplace.flagmenu(
            ["--accessible"], input: "F\nM\nq\n", environment: environment, timeout: 120)
        return output + menu.text + menu.errorText
    }

    private func expectNone(of secrets: [String], in output: String) {
        let leaks = output.split(separator: "\n").filter { line in secrets.contains { line.contains($0) } }
        #expect(leaks.isEmpty, "\(leaks.prefix(3))")
        let patterns = secrets.map { "-e '\($0)'" }.joined(separator: " ")
        // Without the folder of the files themselves, and without the installations, which only this user may read.
        workplace.shell(
            "grep -rlF \(patterns) --exclude-dir=secrets --exclude-dir=installations '\(workplace.home)' "
                + "'\(workplace.path)' || true"
        ).expect(exactly: "")
        workplace.shell(
            "find '\(workplace.home)' -path '*/installations/*' -type f ! -perm 600; "
                + "grep -rlF -e '\(LoopbackFirebaseApps.apiKey)' '\(workplace.home)' || true"
        ).expect(exactly: "")
    }

    @Test(arguments: [200, 400, 401, 403, 500])
    func `no credential is in any output, whatever the response`(status: Int) async throws {
        let server = try await LoopbackServer { Self.echo($0, status: status) }
        let secrets = try await writeFiles(server.url)
        let sources = Self.sources(server.url)
        project(sources)
        let output = outputs(
            Self.lines + ["init --source ofrep:\(server.url) --yes --json"], Self.variables)
        let requested = Set(server.requests.map(\.path))
        #expect(requested.contains("/token") && requested.contains { $0.contains("/installations/") }, "\(requested)")
        #expect(server.requests.count >= sources.count, "every source was requested")
        for secret in ["hush", LoopbackFirebaseApps.apiKey, Self.assertion] {
            #expect(
                server.requests.contains { request in
                    request.headers.fields.contains { $0.value.contains(secret) }
                        || String(decoding: request.body, as: UTF8.self).contains(secret)
                }, "the service received \(secret)")
        }
        expectNone(of: secrets, in: output)
    }

    /// Issued tokens are credentials too. The server issues them and responds to all other requests with the status.
    @Test(arguments: [200, 400, 401, 403, 404, 500])
    func `no issued token is in any output`(status: Int) async throws {
        let server = try await LoopbackServer { Self.issuingTokens($0) ?? Self.echo($0, status: status) }
        let secrets = try await writeFiles(server.url)
        project(Self.firebaseSources(server.url))
        let output = outputs(Self.lines, Self.variables)
        let headers = server.requests.flatMap { $0.headers.fields.map(\.value) }
        var sent = ["Bearer hush-access", "hush-installation", "Bearer hush-google-token"]
        // After a 500 an app backs off, so that it may not need a second token of its installation.
        if status != 500 { sent.append("FIS_v2 hush-refresh") }
        for token in sent { #expect(headers.contains(token), "requested with \(token)") }
        expectNone(of: secrets, in: output)
    }

    /// Issues tokens. Those of installations expire after a second, so that the next run requests another one.
    private static func issuingTokens(_ request: LoopbackRequest) -> LoopbackReply? {
        if request.path == "/token" {
            return .json(#"{"access_token": "hush-access", "expires_in": 3599, "token_type": "Bearer"}"#)
        }
        guard request.path.hasSuffix("/installations/"), let id = request.json?["fid"]?.text?.string else { return nil }
        return .json(
            #"{"fid": "\#(id)", "refreshToken": "hush-refresh", "#
                + #""authToken": {"token": "hush-installation", "expiresIn": "1s"}}"#, status: 201)
    }

    @Test(arguments: [200, 400, 401, 403, 412, 500], ["token", "account", "variable"])
    func `no credential is in the output of publish and versions`(status: Int, credential: String) async throws {
        let templates = try await LoopbackFirebase(
            template: #"{"parameters": {"menu": {"defaultValue": {"value": "plain"}}}}"#, token: "hush-google-token")
        templates.server.respond { [weak templates] request in
            let isReading =
                request.path == "/token" || request.method == "GET" && request.path.hasSuffix("/remoteConfig")
            guard isReading, request.query("versionNumber") == nil else { return Self.echo(request, status: status) }
            return await templates?.reply(to: request) ?? .status(503)
        }
        workplace.write(templates.serviceAccountFile(), to: "secrets/account.json")
        let file = credential == "account" ? #", "serviceAccountFile": "secrets/account.json""# : ""
        project([#"{"source": "firebase:shop", "url": "\#(templates.url)"\#(file)}"#])
        let environment: [String: String?] =
            credential == "variable"
            ? ["GOOGLE_APPLICATION_CREDENTIALS": "secrets/account.json"] : Self.variables
        let output = outputs(
            [
                "set menu square --any", "firebase publish menu --yes", "firebase publish menu --dry-run --json",
                "firebase versions",
                "firebase versions --json", "firebase publish --rollback 1 --yes",
            ], environment)
        let requested = templates.server.requests
        #expect(
            requested.contains { $0.method == "PUT" } && requested.contains { $0.path.hasSuffix(":listVersions") },
            "\(output)")
        expectNone(of: ["hush", "ya29", Self.assertion, templates.serviceAccountSecret], in: output)
    }

    // MARK: several hosts, http and redirects

    @Test(arguments: [
        ("ofrep:", "OFREP_TOKEN", "token"), ("ofrep:", "OFREP_API_KEY", "key"), ("ofrep:", "OFREP_HEADERS", "headers"),
        ("unleash:", "UNLEASH_FRONTEND_TOKEN", "token"), ("split:", "SPLIT_EVALUATOR_AUTH_TOKEN", "token"),
    ])
    func `sources of a kind do not share a credential`(scheme: String, variable: String, name: String) async throws {
        let servers = [try await LoopbackServer { _ in .status(500) }, try await LoopbackServer { _ in .status(500) }]
        let environment: [String: String?] = [variable: "X-Shop=hush"]
        let sources = servers.map { "\(scheme)\($0.url)" }
        workplace.writeSources(sources.map { "\"\($0)\"" }, environment: environment)
        for line in ["fetch", "fetch --source \(sources[0])", "list", "doctor"] {
            workplace.flagmenu(line, environment: environment).expect(
                anywhere: "the variable \(variable) was not sent, as", "would get the same \(name)", without: "hush",
                comment: line)
        }
        Workplace().flagmenu("diff \(sources[0]) \(sources[1])", environment: environment).expect(
            errors: "the variable \(variable) was not sent, as")
        #expect(servers.allSatisfy { $0.requests.isEmpty })
        let objects = sources.map { #"{"source": "\#($0)", "\#(name)Variable": "\#(variable)"}"# }
        workplace.writeSources(objects, environment: environment)
        _ = workplace.flagmenu("fetch", environment: environment)
        for server in servers {
            #expect(server.requests.contains { $0.headers.fields.contains { $0.value.contains("hush") } })
        }
    }

    @Test(arguments: ["GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG"])
    func `two projects at different hosts do not share a key file`(variable: String) async throws {
        let servers = [try await LoopbackServer { _ in .status(500) }, try await LoopbackServer { _ in .status(500) }]
        let templates = try await LoopbackFirebase()
        workplace.write(templates.userFile(), to: "gcloud/application_default_credentials.json")
        let file = "gcloud/application_default_credentials.json"
        let environment: [String: String?] = [
            variable: workplace.place(variable == "CLOUDSDK_CONFIG" ? "gcloud" : file)
        ]
        func project(_ option: String) {
            let sources = servers.map { #"{"source": "firebase:shop", "url": "\#($0.url)"\#(option)}"# }
            workplace.writeSources(sources, environment: environment)
        }
        project("")
        workplace.flagmenu("fetch", environment: environment).expect(errors: "was not sent, as", "serviceAccountFile")
        #expect(servers.allSatisfy { $0.requests.isEmpty } && templates.server.requests.isEmpty)
        project(#", "serviceAccountFile": "\#(file)""#)
        _ = workplace.flagmenu("fetch", environment: environment)
        #expect(
            servers.allSatisfy { !$0.requests.isEmpty } && templates.server.requests.contains { $0.path == "/token" })
    }

    @Test func `what a server quotes in the details of a flag is masked before it is cached`() async throws {
        let server = try await LoopbackServer { request in
            let token = request.headers["Authorization"] ?? ""
            return .json(
                #"{"flags": [{"key": "a", "value": 1}, {"key": "b", "errorCode": "GENERAL", "errorDetails": "\#(token)"}]}"#
            )
        }
        workplace.writeTrusted(
            #"{"app": "shop", "source": "ofrep:\#(server.url)"}"#, environment: ["OFREP_TOKEN": "hush-old-token"])
        var output = outputs(["list", "doctor"], ["OFREP_TOKEN": "hush-old-token"])
        output += outputs(["list", "doctor"], ["OFREP_TOKEN": "hush-new-token"])
        #expect(output.contains("GENERAL"), "\(output)")
        expectNone(of: ["hush"], in: output)
    }

    @Test(arguments: [
        "unleash:default:development.hush0123456789abcdef0123456789", "flagsmith:ser.hush0123456789",
        "posthog:phc_hush0123456789",
        "growthbook:secret_hush0123456789", "ofrep:eyJhbGciOiJIUzI1NiJ9.hush.hush", "split:hush0123456789abcdefghijkl",
    ])
    func `a key typed in place of a URL is not shown and names no folder`(source: String) {
        let output = ["list", "doctor", "status", "set foo true --new"].map { line in
            let run = workplace.flagmenu("\(line) --source \(source)")
            return run.text + run.errorText
        }.joined()
        expectNone(of: ["hush"], in: output)
        #expect(!workplace.shell("find '\(workplace.home)'").text.contains("hush"))
    }

    @Test(arguments: [
        (#"{"source": "unleash:http://flags.invalid:4242"OPTION}"#, "UNLEASH_FRONTEND_TOKEN"),
        (#"{"source": "ofrep:http://flags.invalid:4242"OPTION}"#, "OFREP_TOKEN"),
        (#"{"source": "split:http://flags.invalid:4242"OPTION}"#, "SPLIT_EVALUATOR_AUTH_TOKEN"),
        (#"{"source": "launchdarkly:env", "url": "http://flags.invalid:4242"OPTION}"#, "LAUNCHDARKLY_MOBILE_KEY"),
        (#"{"source": "firebase:shop", "url": "http://flags.invalid:4242"OPTION}"#, "GOOGLE_OAUTH_ACCESS_TOKEN"),
    ])
    func `a credential is sent over http to another machine only if the source allows it`(
        source: String, variable: String
    ) {
        let environment: [String: String?] = [variable: "hush"]
        workplace.writeTrusted(
            #"{"app": "shop", "source": \#(source.replacing("OPTION", with: ""))}"#, environment: environment)
        workplace.flagmenu("fetch", environment: environment).expect(
            errors: "was not sent, as http: would send it to flags.invalid:4242", "allowHTTP", without: "hush")
        workplace.writeTrusted(
            #"{"app": "shop", "source": \#(source.replacing("OPTION", with: #", "allowHTTP": "yes""#))}"#,
            environment: environment)
        workplace.flagmenu("fetch", environment: environment).expect(
            errors: "host flags.invalid not found", without: "hush")
    }

    @Test(arguments: [301, 302, 307, 308])
    func `a redirect takes no credential to another host`(status: Int) async throws {
        let otherServer = try await LoopbackServer { Self.echo($0, status: 401) }
        let target = otherServer.url
        let server = try await LoopbackServer { request in
            .status(status, headers: [("Location", "\(target)\(request.path)")])
        }
        let secrets = try await writeFiles(server.url)
        project(Self.sources(server.url))
        let output = outputs(["fetch", "doctor"], Self.variables)
        expectNone(of: secrets, in: output)
        #expect(!otherServer.requests.isEmpty, "requests without a body are redirected")
        for request in otherServer.requests {
            let sent =
                request.headers.fields.map(\.value).joined(separator: " ")
                + String(decoding: request.body, as: UTF8.self)
            // The key of an app is part of the URL that it requests, and not secret.
            #expect(!sent.contains("hush") && !sent.contains(Self.assertion), "\(request.path)")
        }
    }

    @Test(arguments: ["\u{FEFF}hush-token\r\n", "  hush-token \n\n", "Bearer hush-token\n", "bearer Bearer hush-token"])
    func `what surrounds a token in a file is ignored`(text: String) async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        workplace.write(text, to: "token")
        workplace.writeSource("ofrep:\(server.url)", #""tokenFile": "token""#)
        workplace.flagmenu("get limit").expect(exactly: "42\n")
    }

    @Test func `a token in place of a variable's name is not shown`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        for token in Self.pasted + ["HUSH0123456789abcdef", "hush_Token1"] {
            let quoted = token.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            project([#"{"source": "ofrep:\#(server.url)", "tokenVariable": "\#(quoted)"}"#])
            let output = outputs(["doctor", "fetch", "status --json", "status --files --json", "list"], [:])
            #expect(output.contains("\"tokenVariable\""), "\(output)")
            #expect(!output.lowercased().contains("hush") && !output.contains("BEGIN"), "\(token): \(output)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [nil, "CLOUDSDK_CONFIG"])
    func `the login of gcloud is found and used`(variable: String?) async throws {
        let templates = try await LoopbackFirebase(
            template: #"{"parameters": {"menu": {"defaultValue": {"value": "plain"}}}}"#)
        let folder = variable == nil ? "\(workplace.home)/.config/gcloud" : workplace.place("gcloud")
        #expect(workplace.shell("mkdir -p '\(folder)'").status == 0)
        try templates.userFile().write(
            toFile: "\(folder)/application_default_credentials.json", atomically: true, encoding: .utf8)
        let environment: [String: String?] = variable.map { [$0: folder] } ?? [:]
        workplace.writeSource("firebase:shop", #""url": "\#(templates.url)""#, environment: environment)
        let output = outputs(["get menu", "doctor", "fetch", "status"], environment)
        #expect(output.contains("get menu: plain\n"), "\(output)")
        #expect(!output.contains("hush"), "\(output)")
    }

    // MARK: a credential in place of a file path

    private static let pasted = [
        "hush0123456789abcdefghij", "eyJhbGciOiJIUzI1NiJ9.hush.hush", "ya29.hush-0123456789",
        #"{"type": "service_account", "private_key": "hush"}"#,
        "-----BEGIN EC PRIVATE KEY-----\nhush\n-----END EC PRIVATE KEY-----\n",
        "AIzaSyhush0123456789-0123456789abcdefg",
    ]

    @Test(arguments: [
        ("ofrep:URL", "tokenFile", nil), ("firebase:shop", "serviceAccountFile", "GOOGLE_APPLICATION_CREDENTIALS"),
        ("firebase:shop", "appFile", nil), ("cloudkit:iCloud.example", "privateKeyFile", "CLOUDKIT_PRIVATE_KEY_FILE"),
    ])
    func `a credential in place of a path is not shown`(source: String, member: String, variable: String?)
        async throws
    {
        let server = try await LoopbackServer { _ in .json("{}") }
        let address = source.replacing("URL", with: server.url)
        let lines = ["doctor", "doctor --json", "fetch", "status --json", "status --files --json", "list"]
        for text in Self.pasted {
            let quoted = text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            project([#"{"source": "\#(address)", "url": "\#(server.url)", "\#(member)": "\#(quoted)"}"#])
            var output = outputs(lines, ["CLOUDKIT_KEY_ID": "key-id"])
            #expect(output.contains("\"\(member)\""), "the error names the member: \(output)")
            if let variable {
                project([#"{"source": "\#(address)", "url": "\#(server.url)"}"#])
                let named = outputs(lines, ["CLOUDKIT_KEY_ID": "key-id", variable: text])
                #expect(named.contains("variable \(variable) must be the path of a file"), "\(named)")
                output += named
            }
            #expect(!output.contains("hush") && !output.contains("BEGIN"), "\(text): \(output)")
        }
        #expect(server.requests.isEmpty)
    }
}
#endif
