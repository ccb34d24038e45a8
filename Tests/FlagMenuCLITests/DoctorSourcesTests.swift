#if Network
import FlagRemote
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// `flagmenu doctor` sends a request to every source and suggests remedies.
@Suite(.limitedParallelism) struct DoctorSourcesTests {
    private let workplace = Workplace()

    private func doctor(_ source: String, _ environment: [String: String?] = [:]) -> CommandRun {
        workplace.flagmenu("doctor --source \(source)", environment: environment)
    }

    @Test(arguments: [
        (401, "-> Put the token into the variable OFREP_TOKEN"), (404, "-> Fix what follows \"ofrep:\""),
        (400, "-> Check the settings of this source"), (500, "-> Contact the operator of the service"),
        (429, "-> Wait, and poll less often"),
    ])
    func `an HTTP status is reported with a remedy`(status: Int, words: String) async throws {
        let server = try await LoopbackServer { _ in .status(status) }
        doctor("ofrep:\(server.url)").expect(5, text: "(HTTP status \(status))", words)
        doctor("ofrep:\(server.url) --json").expect(text: #""remedies": ["#, String(words.dropFirst(3).prefix(16)))
    }

    @Test func `a rejected credential is reported with the variable to renew`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")], token: "hush-right")
        doctor("ofrep:\(server.url)", ["OFREP_TOKEN": "hush-wrong"]).expect(
            text: "-> Renew the token in the variable OFREP_TOKEN", without: "hush")
    }

    @Test func `a failed connection is reported with a remedy`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let (secure, insecure) = ("ofrep:https://127.0.0.1:\(server.port)", "ofrep:\(server.url)")
        doctor(secure).expect(text: "TLS: ", "SSL_CERT_FILE")
        doctor(insecure).expect(text: "-> Check that the address is that of a server that speaks OFREP")
        await server.refuse()
        doctor(insecure).expect(text: "refused the connection", "-> Check that the service runs")
        doctor("ofrep:http://no-such-host.invalid").expect(text: "host no-such-host.invalid not found", "HTTPS_PROXY")
    }

    @Test(arguments: [
        "ofrep", "unleash", "split", "posthog", "flagsmith", "statsig", "launchdarkly", "cloudkit", "firebase",
    ])
    func `secrets in the URL of a source are never shown`(scheme: String) {
        let addresses = [
            "https://127.0.0.1:9/api?x=hush", "https://127.0.0.1:9/?hush", "https://ana:hush@127.0.0.1:9/",
            "https://ana:hush@no host/", "name?x=hush",
        ]
        for address in addresses {
            let source = "\(scheme):\(address)"
            workplace.writeSource(source)
            for arguments in [
                ["doctor", "--json"], ["status"], ["fetch", "--source", source], ["status", "--files"],
            ] {
                workplace.flagmenu(arguments).expect(without: "hush", comment: "\(arguments) \(source)")
            }
            workplace.flagmenu(["init", "--source", source, "--yes", "--replace"]).expect(
                2, without: "hush", comment: source)
        }
        workplace.expectNotSaved("hush")
    }

    @Test(arguments: [
        ("HTTPS_PROXY", "socks5://ana:hush@127.0.0.1:9", "names a proxy of socks5"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem", "names /nowhere/ca.pem as the file of trusted authorities"),
    ])
    func `an invalid network setting is reported`(variable: String, value: String, words: String) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let run = doctor("ofrep:https://127.0.0.1:\(server.port)", [variable: value])
        let lines = run.text.split(separator: "\n")
        for line in ["!   source", "~   network"] {
            #expect(lines.contains { $0.hasPrefix(line) && $0.contains("\(variable) \(words)") }, "\(run.text)")
        }
        #expect(run.text.contains("-> Fix the variable \(variable), or unset it."), "\(run.text)")
        #expect(run.status == 2 && !run.text.contains("hush"), "\(run.text)")
    }

    @Test(arguments: [
        ("OFREP_TIMEOUT_MS", "soon", "must be a whole number of milliseconds"),
        ("OFREP_ENDPOINT", "flags.example.com", "not a valid URL of an OFREP server"),
    ])
    func `an invalid variable is reported by name`(variable: String, value: String, words: String) async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        var environment: [String: String?] = ["OFREP_ENDPOINT": server.url]
        #expect(doctor("ofrep:", environment).status == 0)
        environment[variable] = value
        doctor("ofrep:", environment).expect(
            text: words, "-> Fix the variable \(variable), or unset it.", without: "flagmenu.json; flagmenu config")
    }

    @Test func `if the URL is in a variable, the remedy names the variable`() async throws {
        let server = try await LoopbackServer { _ in .status(404) }
        doctor("ofrep:", ["OFREP_ENDPOINT": server.url]).expect(
            text: "-> Fix the variable OFREP_ENDPOINT, or check whether", "certificates are verified, no proxy")
    }

    @Test(arguments: ["launchdarkly:env", "firebase:shop", "cloudkit:iCloud.example", "ofrep:"])
    func `doctor shows the proxy and the certificate check for every kind of source`(source: String) {
        let environment: [String: String?] = [
            "HTTPS_PROXY": "http://127.0.0.1:1", "OFREP_ENDPOINT": "https://flags.example.com",
        ]
        doctor(source, environment).expect(text: "certificates are verified, through 127.0.0.1:1")
        let unsafe = environment.merging(["FLAGMENU_INSECURE_TLS": "1"]) { $1 }
        doctor("\(source) --json", unsafe).expect(text: "certificates are not verified, through 127.0.0.1:1")
    }

    @Test(arguments: [
        "ofreb:https://flags.example.com", "OFREP:http://flags.example.com", "ofrepp://flags.example.com",
    ])
    func `an unknown kind of source is an error that lists the known kinds`(source: String) {
        let scheme = source.prefix { $0 != ":" }
        workplace.writeTrusted(#"{"app": "shop", "source": "\#(source)"}"#)
        for line in ["list", "list --source \(source)", "init --source \(source) --yes --replace"] {
            workplace.flagmenu(line).expect(
                2, errors: "Unknown source \"\(scheme):\"; known sources: file:, ofrep:, ", "Did you mean \"ofrep\"?",
                comment: line)
        }
        workplace.write(#"{"a": "1"}"#, to: "v1:values.json")
        #expect(workplace.flagmenu("list --source v1:values.json").status == 0, "a path may contain a colon")
    }

    @Test func `an empty list of sources is an error`() {
        for member in ["source", "sources"] {
            workplace.writeTrusted(#"{"app": "shop", "\#(member)": []}"#)
            workplace.flagmenu("list").expect(2, errors: "\"\(member)\" names no source")
        }
    }

    @Test func `a token with several lines is an error and is never sent`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")], token: "hush-token")
        workplace.write("hush-token\nhush-more\n", to: "token")
        workplace.writeSource("ofrep:\(server.url)", #""tokenFile": "token""#)
        workplace.flagmenu("list").expect(errors: "on one line and nothing else, but contains 2 lines")
        #expect(server.server.requests.isEmpty)
        workplace.writeTrusted(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#)
        for (value, words) in [
            ("hush-token\r\nX-Own: hush", "the variable OFREP_TOKEN must contain the token on one line"),
            ("hush\u{1}token", "contains a control character"), ("\n", "contains only spaces or line feeds"),
        ] {
            workplace.flagmenu("list", environment: ["OFREP_TOKEN": value]).expect(errors: words, without: "hush")
        }
        #expect(server.server.requests.isEmpty)
        #expect(workplace.flagmenu("get max-items", environment: ["OFREP_TOKEN": "hush-token\n"]).text == "42\n")
    }

    @Test func `doctor reports a damaged contexts file of an earlier version`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.writeTrusted(#"{"app": "shop", "source": "remote.json"}"#)
        workplace.write("{", to: "\(workplace.home)/.local/state/flagmenu/shop/contexts.json")
        let run = workplace.flagmenu("doctor")
        let lines = run.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("~   store") && $0.contains("Damaged at line 1") }, "\(run.text)")
        #expect(lines.contains { $0.hasPrefix("ok  catalog") } && run.status == 0, "\(run.text)")
    }

    // MARK: credential files

    private func project(_ source: String, _ url: String, _ members: String) {
        workplace.writeSource(source, #""url": "\#(url)"\#(members)"#)
    }

    private static let invalidFiles: [(String, String, [String: String], String)] = [
        ("firebase:shop", #", "serviceAccountFile": "nowhere.json""#, [:], "Put the key of the service account into "),
        (
            "firebase:shop", #", "serviceAccountFile": "odd.json""#, [:],
            "or correct \"serviceAccountFile\" in flagmenu.json"
        ),
        (
            "firebase:shop", "", ["GOOGLE_APPLICATION_CREDENTIALS": "odd.json"],
            "Write the whole key of the service account to odd.json, as downloaded, or correct the variable "
                + "GOOGLE_APPLICATION_CREDENTIALS."
        ),
        ("firebase:shop", #", "appFile": "nowhere.json""#, [:], "Put the description of the app into "),
        (
            "cloudkit:iCloud.example", #", "privateKeyFile": "nowhere.pem""#, ["CLOUDKIT_KEY_ID": "hush"],
            "Put the private key into "
        ),
        (
            "cloudkit:iCloud.example", "", ["CLOUDKIT_KEY_ID": "hush", "CLOUDKIT_PRIVATE_KEY_FILE": "odd.json"],
            "or correct the variable CLOUDKIT_PRIVATE_KEY_FILE."
        ),
    ]

    @Test(arguments: invalidFiles)
    func `an invalid credential file is reported with the setting that names it`(
        source: String, members: String, environment: [String: String], words: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        workplace.write("{}", to: "odd.json")
        project(source, server.url, members)
        workplace.flagmenu("doctor", environment: environment.mapValues { $0 }).expect(
            text: words, without: "hush", "else responded", "what follows")
    }

    private static let wrongFiles: [(String, String, String, String, String)] = [
        (
            "firebase:shop", "tokenFile", "account.json",
            "contains the key file of a service account; name that file with",
            "name that file with \"serviceAccountFile\" in place of \"tokenFile\" in flagmenu.json."
        ),
        ("firebase:shop", "tokenFile", "app.json", "contains the file of an app", "with \"appFile\" in place of"),
        ("cloudkit:iCloud.x", "tokenFile", "key.pem", "contains the PEM file", "with \"privateKeyFile\" in place of"),
        (
            "unleash:URL", "tokenFile", "account.json", "but contains JSON; keep only the token",
            "-> Write the token alone"
        ),
        ("cloudkit:iCloud.x", "tokenFile", "pipe", "this is a named pipe", "or correct \"tokenFile\""),
        ("firebase:shop", "serviceAccountFile", "pipe", "this is a named pipe", "/pipe is not a file."),
        ("firebase:shop", "serviceAccountFile", "folder", "this is a directory", "/folder is not a file."),
        ("firebase:shop", "appFile", "pipe", "this is a named pipe", "-> Fix \"appFile\" in flagmenu.json: "),
        ("ofrep:URL", "keyFile", "folder", "this is a directory", "-> Write the key alone into the file"),
    ]

    @Test(arguments: wrongFiles)
    func `the wrong kind of credential file is reported with the right setting`(
        source: String, member: String, file: String, words: String, remedy: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        workplace.write(#"{"type": "service_account", "private_key": "hush"}"#, to: "account.json")
        workplace.write(#"{"project_info": {}, "client": ["hush"]}"#, to: "app.json")
        workplace.write("-----BEGIN EC PRIVATE KEY-----\nhush\n-----END EC PRIVATE KEY-----\n", to: "key.pem")
        _ = workplace.shell("mkfifo pipe; mkdir folder")
        project(source.replacing("URL", with: server.url), server.url, ", \"\(member)\": \"\(file)\"")
        let run = workplace.flagmenu("doctor", environment: ["CLOUDKIT_KEY_ID": "id"]).expect(
            2, text: words, remedy, without: "hush")
        #expect(server.requests.isEmpty, "\(run.text)")
    }

    private static let decisiveSettings: [(String, String, [String: String], String, String)] = [
        ("ofrep:URL", #""context": {"targetingKey": 1}"#, [:], "-> Check the settings of this source", "Put the token"),
        (
            "ofrep:URL", #""prefix": """#, ["OFREP_TOKEN": "hush\nhush"],
            "-> Set the variable OFREP_TOKEN to the token alone, on one line.", "Check the settings"
        ),
        (
            "firebase:shop", #""tokenVariable": "SHOP_TOKEN""#, ["GOOGLE_APPLICATION_CREDENTIALS": "odd.json"],
            "-> Put the token into the variable SHOP_TOKEN, or", "odd.json"
        ),
        (
            "firebase:shop", #""prefix": """#, ["GOOGLE_OAUTH_ACCESS_TOKEN": #"{"private_key": "hush"}"#],
            "or name the file itself with \"serviceAccountFile\" in flagmenu.json.", "Check the settings"
        ),
        (
            "cloudkit:iCloud.x", #""privateKeyFile": "odd.json""#, [:],
            "-> Put the key ID into the variable CLOUDKIT_KEY_ID, or", "Or name"
        ),
        (
            "cloudkit:iCloud.x", #""prefix": """#, [:],
            "-> Or name the PEM file of a server-to-server key with \"privateKeyFile\".", "Check the settings"
        ),
    ]

    @Test(arguments: decisiveSettings)
    func `doctor names only the setting that prevents the request`(
        source: String, members: String, environment: [String: String], words: String, others: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        workplace.write("{}", to: "odd.json")
        project(source.replacing("URL", with: server.url), server.url, ", \(members)")
        let run = workplace.flagmenu("doctor", environment: environment.mapValues { $0 }).expect(
            text: words, without: others)
        #expect(run.status == 2 && !run.text.contains("hush") && server.requests.isEmpty, "\(run.text)")
    }

    private static let idleSettings: [(String, String, String, String)] = [
        (
            "firebase:shop", #""androidCert": "aa", "serviceAccountFile": "a.json""#, "androidCert",
            "it only applies to what an app gets"
        ),
        ("firebase:shop", #""changes": "polling""#, "changes", "it only applies to what an app gets"),
        ("firebase:shop", #""appFile": "app.json", "version": 3"#, "version", "always the newest version"),
        (
            "firebase:shop", #""serviceAccountFile": "a.json", "tokenFile": "t""#, "tokenFile",
            "\"serviceAccountFile\" is"
        ),
        ("cloudkit:x", #""privateKeyFile": "key.pem", "tokenFile": "t""#, "tokenFile", "the private key is used"),
        ("cloudkit:x", #""keyIDFile": "t""#, "keyIDFile", "neither \"privateKeyFile\""),
        ("split:URL", #""flagNames": "a", "flagSets": "b""#, "flagNames", "\"flagSets\" selects the flags"),
        ("ofrep:URL", #""recordType": "Flag""#, "recordType", "sources of \"ofrep:\" have no such setting"),
        ("remote.json", #""pollSeconds": 5"#, "pollSeconds", "a file needs no such setting"),
    ]

    @Test(arguments: idleSettings)
    func `a setting that has no effect is a warning`(
        source: String, members: String, member: String, reason: String
    ) async throws {
        let server = try await LoopbackServer { _ in .status(503) }
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        let name = source.replacing("URL", with: server.url)
        workplace.writeTrusted(#"{"app": "shop", "source": {"source": "\#(name)", \#(members)}}"#)
        let run = workplace.flagmenu("doctor", environment: ["HTTPS_PROXY": "http://127.0.0.1:9"])
        let notes = run.text.split(separator: "\n").filter { $0.hasPrefix("~   source") }
        #expect(notes.count == 1 && notes[0].contains("\"\(member)\" has no effect: "), "\(run.text)")
        #expect(notes.first?.contains(reason) == true && run.text.contains("-> Remove \"\(member)\""), "\(run.text)")
    }

    private static let redirects: [(String, String, String)] = [
        ("ofrep:URL", "https://login.example.com/", "-> Fix what follows \"ofrep:\": it only redirects"),
        ("ofrep:URL", "/again", "-> Fix what follows \"ofrep:\": it only redirects"),
        ("cloudkit:iCloud.x", "https://login.example.com/", "-> Fix \"url\" in flagmenu.json: it only redirects"),
        ("firebase:shop", "https://no-such-host.invalid/", "-> Fix \"url\" in flagmenu.json: it only redirects"),
    ]

    @Test(arguments: redirects)
    func `a URL that only redirects is reported`(source: String, target: String, words: String) async throws {
        let server = try await LoopbackServer { _ in .status(302, headers: [("Location", target)]) }
        project(source.replacing("URL", with: server.url), server.url, "")
        workplace.flagmenu(
            "doctor", environment: ["CLOUDKIT_API_TOKEN": "token", "GOOGLE_OAUTH_ACCESS_TOKEN": "token"]
        ).expect(text: words, without: "PEM file")
    }

    private static let cloudKitErrors: [(String, Int, String)] = [
        ("BAD_REQUEST", 400, "-> Fix \"recordType\" (now \"Flag\"), \"nameField\" (now featureName)"),
        ("NOT_FOUND", 404, "-> Fix the container after \"cloudkit:\", \"environment\" (now production) or"),
        ("AUTHENTICATION_FAILED", 401, "that the id in the variable CLOUDKIT_KEY_ID is of the private key in "),
    ]

    @Test(arguments: cloudKitErrors)
    func `a CloudKit error names the setting to correct`(code: String, status: Int, words: String) async throws {
        let server = try await LoopbackServer { _ in
            .json(#"{"uuid": "u", "serverErrorCode": "\#(code)", "reason": "no"}"#, status: status)
        }
        #expect(workplace.shell("openssl ecparam -name prime256v1 -genkey -noout -out key.pem").status == 0)
        project("cloudkit:iCloud.x", server.url, #", "recordType": "Flag", "privateKeyFile": "key.pem""#)
        let run = workplace.flagmenu("doctor", environment: ["CLOUDKIT_KEY_ID": "id"]).expect(text: words)
        #expect(server.requests.count == 1, "\(run.text)")
    }

    @Test func `an app that does not match its API key is reported with the settings to correct`() async throws {
        let apps = try await LoopbackFirebaseApps([:])
        workplace.write(apps.googleServicesFile, to: "app.json")
        project("firebase:shop", apps.url, #", "appFile": "app.json", "package": "com.example.none""#)
        workplace.flagmenu("doctor").expect(text: "-> Fix \"package\" in flagmenu.json to one of those apps")
        let server = try await LoopbackServer { _ in .status(403) }
        project("firebase:shop", server.url, #", "appFile": "app.json""#)
        workplace.flagmenu("doctor").expect(text: "is restricted to: to Android apps, \"package\" and")
    }

    @Test func `warnings have remedies too`() {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        workplace.writeTrusted(#"{"app": "shop", "sourse": "x", "source": "remote.json"}"#)
        #expect(workplace.flagmenu("set size m --any").status == 0)
        workplace.flagmenu("doctor", environment: ["LC_ALL": "C"]).expect(
            text: "-> Fix the name in \(workplace.place("flagmenu.json")), or remove it.",
            "-> flagmenu reset \"size\" goes back to the remote value.",
            "-> Set LC_ALL to a UTF-8 locale, such as C.UTF-8.")
        workplace.flagmenu("doctor --source ofrep:nowhere", environment: ["FLAGMENU_INSECURE_TLS": "1"]).expect(
            text: "FLAGMENU_INSECURE_TLS=1: ", "-> Unset FLAGMENU_INSECURE_TLS;")
    }

    @Test func `of several credentials doctor names only the one that is used`() async throws {
        let server = try await LoopbackFirebase(template: #"{"parameters": {}}"#, token: "hush-token")
        workplace.write(server.serviceAccountFile(), to: "account.json")
        let both: [String: String?] = [
            "GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token", "GOOGLE_APPLICATION_CREDENTIALS": "account.json",
        ]
        let account = "key of the service account in the file \(workplace.place("account.json"))"
        for (members, used, other) in [
            (#", "serviceAccountFile": "account.json""#, account, "GOOGLE_OAUTH_ACCESS_TOKEN"),
            ("", "token in the variable GOOGLE_OAUTH_ACCESS_TOKEN", "service account"),
        ] {
            project("firebase:shop", server.url, members)
            workplace.flagmenu("doctor", environment: both).expect(text: "with the \(used)", without: other)
            server.server.inject(.status(403), times: .max)
            workplace.flagmenu("doctor", environment: both).expect(
                text: "the \(used)", "HTTP status 403", without: other, "hush")
            server.server.recover()
        }
    }

    @Test func `each source has its own finding, and a failure hides no other source`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        let broken = try await LoopbackServer { _ in .status(503) }
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        let sources =
            "--source remote.json --source unleash:\(broken.url) --source ofrep:\(server.url) --source gone.json"
        let run = workplace.flagmenu("doctor \(sources)", environment: ["UNLEASH_FRONTEND_TOKEN": "t"])
        let lines = run.text.split(separator: "\n").filter { $0.contains("source  ") }
        #expect(lines.map { $0.prefix(3) } == ["ok ", "!  ", "ok ", "!  "], "\(run.text)")
        #expect(run.text.contains("no such file") && run.text.contains("-> Fix the path"), "\(run.text)")
        #expect(broken.requests.count == 1, "a failing source is requested once")
    }

    @Test func `doctor waits 10 s for a source that hangs`() async throws {
        let server = try await LoopbackServer { _ in .hang }
        var run: CommandRun?
        let seconds = ContinuousClock().measure { run = doctor("ofrep:\(server.url)") }
        #expect(run?.status == 5 && run?.text.contains("completely within 10 s") == true, "\(run?.text ?? "")")
        #expect(seconds < .seconds(20))
    }
}
#endif
