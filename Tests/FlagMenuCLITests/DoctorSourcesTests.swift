import FlagRemote
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// `flagmenu doctor` asks every source and says what to mend of each.
@Suite(.fewAtOnce) struct DoctorSourcesTests {
    private let workplace = Workplace()

    private static func line(_ source: String) -> String { "doctor --source \(source)" }

    @Test(arguments: [
        (401, "-> Put the token into the variable OFREP_TOKEN"), (404, "-> Correct what follows \"ofrep:\""),
        (400, "-> Check the settings of this source"), (500, "-> Contact the operator of the service"),
        (429, "-> Wait, and poll less often"),
    ])
    func `a status is told with what to mend`(status: Int, words: String) async throws {
        let server = try await LoopbackServer { _ in .status(status) }
        let run = workplace.flagmenu(Self.line("ofrep:\(server.url)"))
        #expect(
            run.status == 5 && run.text.contains("(HTTP status \(status))") && run.text.contains(words), "\(run.text)")
        let json = workplace.flagmenu(Self.line("ofrep:\(server.url)") + " --json").text
        #expect(json.contains(#""remedies": ["#) && json.contains(String(words.dropFirst(3).prefix(20))), "\(json)")
    }

    @Test func `a credential that is there but not accepted is to be renewed, where it is`() async throws {
        let server = try await LoopbackOFREP([.init("a", "1")], token: "hush-right")
        let run = workplace.flagmenu(Self.line("ofrep:\(server.url)"), environment: ["OFREP_TOKEN": "hush-wrong"])
        #expect(run.text.contains("-> Renew the token in the variable OFREP_TOKEN"), "\(run.text)")
        #expect(!run.text.contains("hush"))
    }

    @Test func `what keeps a connection from coming about is told with what to mend`() async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let (secure, gone) = ("ofrep:https://127.0.0.1:\(server.port)", "ofrep:\(server.url)")
        let tls = workplace.flagmenu(Self.line(secure))
        #expect(tls.text.contains("TLS: ") && tls.text.contains("SSL_CERT_FILE"), "\(tls.text)")
        let other = workplace.flagmenu(Self.line(gone))
        #expect(other.text.contains("-> Check that the address is that of a server that speaks OFREP"), "\(other.text)")
        await server.refuse()
        let refused = workplace.flagmenu(Self.line(gone))
        #expect(
            refused.text.contains("refused the connection") && refused.text.contains("-> Check that the service runs"),
            "\(refused.text)\(refused.words)")
        let name = workplace.flagmenu(Self.line("ofrep:http://no-such-host.invalid"))
        #expect(
            name.text.contains("host no-such-host.invalid not found") && name.text.contains("HTTPS_PROXY"),
            "\(name.text)")
    }

    @Test(arguments: ["ofrep", "unleash", "split", "launchdarkly", "cloudkit", "firebase"])
    func `what stands in the query of an address, or before its host, shows nowhere`(scheme: String) {
        let addresses = [
            "https://127.0.0.1:9/api?x=hush", "https://127.0.0.1:9/?hush", "https://ana:hush@127.0.0.1:9/",
            "https://ana:hush@no host/", "name?x=hush",
        ]
        for address in addresses {
            let source = "\(scheme):\(address)"
            workplace.writeTrusted(
                #"{"app": "shop", "source": {"source": "\#(source)"}}"#)
            for arguments in [["doctor", "--json"], ["status"], ["fetch", "--source", source], ["paths"]] {
                let run = workplace.flagmenu(arguments)
                #expect(!(run.text + run.words).contains("hush"), "\(arguments) \(source): \(run.text)\(run.words)")
            }
            let run = workplace.flagmenu(["init", "--source", source, "--yes", "--replace"])
            #expect(run.status == 2 && !run.words.contains("hush"), "\(source): \(run.words)")
        }
        let kept = workplace.shell("grep -rl -e hush '\(workplace.home)' || true")
        #expect(kept.text.isEmpty, "kept on disk: \(kept.text)")
    }

    @Test(arguments: [
        ("HTTPS_PROXY", "socks5://ana:hush@127.0.0.1:9", "names a proxy of socks5"),
        ("SSL_CERT_FILE", "/nowhere/ca.pem", "names /nowhere/ca.pem as the file of trusted authorities"),
    ])
    func `a setting of the network that cannot be followed is told by its variable`(
        variable: String, value: String, words: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let run = workplace.flagmenu(
            Self.line("ofrep:https://127.0.0.1:\(server.port)"), environment: [variable: value])
        let lines = run.text.split(separator: "\n")
        for line in ["!   source", "~   network"] {
            #expect(lines.contains { $0.hasPrefix(line) && $0.contains("\(variable) \(words)") }, "\(run.text)")
        }
        #expect(run.text.contains("-> Correct the variable \(variable), or unset it."), "\(run.text)")
        #expect(run.status == 2 && !run.text.contains("hush"), "\(run.text)")
    }

    @Test(arguments: [
        ("OFREP_TIMEOUT_MS", "soon", "must be a whole number of milliseconds"),
        ("OFREP_ENDPOINT", "flags.example.com", "not a valid URL of an OFREP server"),
    ])
    func `a variable that is a setting is what there is to correct`(
        variable: String, value: String, words: String
    ) async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        var environment: [String: String?] = ["OFREP_ENDPOINT": server.url]
        #expect(workplace.flagmenu(Self.line("ofrep:"), environment: environment).status == 0)
        environment[variable] = value
        let run = workplace.flagmenu(Self.line("ofrep:"), environment: environment)
        #expect(run.text.contains(words), "\(run.text)")
        #expect(run.text.contains("-> Correct the variable \(variable), or unset it."), "\(run.text)")
        #expect(!run.text.contains("flagmenu.json; flagmenu config"), "there is nothing to look for there: \(run.text)")
    }

    @Test func `where the address stands in a variable, that is named`() async throws {
        let server = try await LoopbackServer { _ in .status(404) }
        let run = workplace.flagmenu(Self.line("ofrep:"), environment: ["OFREP_ENDPOINT": server.url])
        #expect(run.text.contains("-> Correct the variable OFREP_ENDPOINT, or check whether"), "\(run.text)")
    }

    @Test(arguments: ["launchdarkly:env", "firebase:shop", "cloudkit:iCloud.example", "ofrep:"])
    func `the way to a service is told whatever kind it is`(source: String) {
        let environment: [String: String?] = [
            "HTTPS_PROXY": "http://127.0.0.1:1", "OFREP_ENDPOINT": "https://flags.example.com",
        ]
        let run = workplace.flagmenu(Self.line(source), environment: environment)
        #expect(run.text.contains("certificates are verified, through 127.0.0.1:1"), "\(run.text)")
        let unsafe = environment.merging(["FLAGMENU_INSECURE_TLS": "1"]) { $1 }
        let json = workplace.flagmenu(Self.line(source) + " --json", environment: unsafe).text
        #expect(json.contains("certificates are not verified, through 127.0.0.1:1"), "\(json)")
    }

    @Test(arguments: [
        "ofreb:https://flags.example.com", "OFREP:http://flags.example.com", "ofrepp://flags.example.com",
    ])
    func `a kind of source that there is not is told with those that there are`(source: String) {
        let scheme = source.prefix { $0 != ":" }
        workplace.writeTrusted(#"{"app": "shop", "source": "\#(source)"}"#)
        for line in ["list", "list --source \(source)", "init --source \(source) --yes --replace"] {
            let run = workplace.flagmenu(line)
            #expect(run.status == 2, "\(line): \(run.words)")
            #expect(run.words.contains("Unknown source \"\(scheme):\"; known sources: file:, ofrep:, "))
            #expect(run.words.contains("Did you mean \"ofrep\"?"), "\(run.words)")
        }
        workplace.write(#"{"a": "1"}"#, to: "v1:values.json")
        #expect(workplace.flagmenu("list --source v1:values.json").status == 0, "a path may hold a colon")
    }

    @Test func `a list of sources that is empty is no sample`() {
        for member in ["source", "sources"] {
            workplace.writeTrusted(#"{"app": "shop", "\#(member)": []}"#)
            let run = workplace.flagmenu("list")
            #expect(run.status == 2 && run.words.contains("\"\(member)\" names no source"), "\(run.words)")
        }
    }

    @Test func `a token of several lines is told as such, and never sent`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")], token: "hush-token")
        workplace.write("hush-token\nhush-more\n", to: "token")
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)", "tokenFile": "token"}}"#)
        let fromFile = workplace.flagmenu("list")
        #expect(fromFile.words.contains("on one line and nothing else, but contains 2 lines"), "\(fromFile.words)")
        #expect(server.server.requests.isEmpty)
        workplace.writeTrusted(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#)
        for (value, words) in [
            ("hush-token\r\nX-Own: hush", "the variable OFREP_TOKEN must contain the token on one line"),
            ("hush\u{1}token", "contains a control character"), ("\n", "contains nothing but line feeds"),
        ] {
            let run = workplace.flagmenu("list", environment: ["OFREP_TOKEN": value])
            #expect(run.words.contains(words) && !run.words.contains("hush"), "\(run.words)")
        }
        #expect(server.server.requests.isEmpty)
        #expect(workplace.flagmenu("get max-items", environment: ["OFREP_TOKEN": "hush-token\n"]).text == "42\n")
    }

    @Test func `what is wrong with the file of contexts has a line of its own`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.writeTrusted(#"{"app": "shop", "source": "remote.json"}"#)
        #expect(!workplace.flagmenu("doctor").text.contains("contexts"))
        workplace.write("{", to: "\(workplace.home)/.local/state/flagmenu/shop/contexts.json")
        let run = workplace.flagmenu("doctor")
        let lines = run.text.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("~   contexts") && $0.contains("Contexts: line 1") }, "\(run.text)")
        #expect(lines.contains { $0.hasPrefix("ok  catalog") } && run.status == 0, "\(run.text)")
        let broken = workplace.flagmenu(["doctor", "--source", "none.json"]).text
        #expect(broken.contains("~   contexts"), "\(broken)")
    }

    // MARK: files that let in

    private func project(_ source: String, _ url: String, _ members: String) {
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "\#(source)", "url": "\#(url)"\#(members)}}"#)
    }

    @Test(
        arguments: [
            (
                "firebase:shop", #", "serviceAccountFile": "nowhere.json""#, [:],
                "Put the key of the service account into "
            ),
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
        ] as [(String, String, [String: String], String)])
    func `a file that should let in is told by what names it`(
        source: String, members: String, environment: [String: String], words: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        workplace.write("{}", to: "odd.json")
        project(source, server.url, members)
        let run = workplace.flagmenu("doctor", environment: environment.mapValues { $0 })
        #expect(run.text.contains(words), "\(run.text)")
        #expect(
            !run.text.contains("else responded") && !run.text.contains("what follows") && !run.text.contains("hush")
        )
    }

    @Test(
        arguments: [
            (
                "firebase:shop", "tokenFile", "account.json",
                "contains the key file of a service account; name that file with",
                "name that file with \"serviceAccountFile\" in place of \"tokenFile\" in flagmenu.json."
            ),
            ("firebase:shop", "tokenFile", "app.json", "contains the file of an app", "with \"appFile\" in place of"),
            (
                "cloudkit:iCloud.x", "tokenFile", "key.pem", "contains the PEM file",
                "with \"privateKeyFile\" in place of"
            ),
            (
                "unleash:URL", "tokenFile", "account.json", "but contains JSON; keep only the token",
                "-> Write the token alone"
            ),
            ("cloudkit:iCloud.x", "tokenFile", "pipe", "this is a named pipe", "or correct \"tokenFile\""),
            ("firebase:shop", "serviceAccountFile", "pipe", "this is a pipe", "/pipe is not a file."),
            ("firebase:shop", "serviceAccountFile", "folder", "this is a directory", "/folder is not a file."),
            ("firebase:shop", "appFile", "pipe", "this is a pipe", "-> Correct \"appFile\" in flagmenu.json: "),
            ("ofrep:URL", "keyFile", "folder", "this is a directory", "-> Write the key alone into the file"),
        ] as [(String, String, String, String, String)])
    func `what is no file for a credential is told at once, with what to use`(
        source: String, member: String, file: String, words: String, remedy: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        workplace.write(#"{"type": "service_account", "private_key": "hush"}"#, to: "account.json")
        workplace.write(#"{"project_info": {}, "client": ["hush"]}"#, to: "app.json")
        workplace.write("-----BEGIN EC PRIVATE KEY-----\nhush\n-----END EC PRIVATE KEY-----\n", to: "key.pem")
        _ = workplace.shell("mkfifo pipe; mkdir folder")
        project(source.replacing("URL", with: server.url), server.url, ", \"\(member)\": \"\(file)\"")
        let run = workplace.flagmenu("doctor", environment: ["CLOUDKIT_KEY_ID": "id"])
        #expect(run.text.contains(words) && run.text.contains(remedy), "\(run.text)")
        #expect(run.status == 2 && !run.text.contains("hush") && server.requests.isEmpty, "\(run.text)")
    }

    @Test(
        arguments: [
            (
                "ofrep:URL", #""context": {"targetingKey": 1}"#, [:], "-> Check the settings of this source",
                "Put the token"
            ),
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
                "-> Put the keyID into the variable CLOUDKIT_KEY_ID, or", "Or name"
            ),
            (
                "cloudkit:iCloud.x", #""prefix": """#, [:],
                "-> Or name the PEM file of a server-to-server key with \"privateKeyFile\".", "Check the settings"
            ),
        ] as [(String, String, [String: String], String, String)])
    func `what keeps a source from being asked is what there is to mend, and nothing else`(
        source: String, members: String, environment: [String: String], words: String, others: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        workplace.write("{}", to: "odd.json")
        project(source.replacing("URL", with: server.url), server.url, ", \(members)")
        let run = workplace.flagmenu("doctor", environment: environment.mapValues { $0 })
        #expect(run.text.contains(words) && !run.text.contains(others), "\(run.text)")
        #expect(run.status == 2 && !run.text.contains("hush") && server.requests.isEmpty, "\(run.text)")
    }

    @Test(
        arguments: [
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
        ] as [(String, String, String, String)])
    func `a setting that does nothing is a note of the doctor`(
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

    @Test(
        arguments: [
            ("ofrep:URL", "https://login.example.com/", "-> Correct what follows \"ofrep:\": it only redirects"),
            ("ofrep:URL", "/again", "-> Correct what follows \"ofrep:\": it only redirects"),
            (
                "cloudkit:iCloud.x", "https://login.example.com/",
                "-> Correct \"url\" in flagmenu.json: it only redirects"
            ),
            (
                "firebase:shop", "https://no-such-host.invalid/",
                "-> Correct \"url\" in flagmenu.json: it only redirects"
            ),
        ] as [(String, String, String)])
    func `an address that only sends requests on is what there is to correct`(
        source: String, target: String, words: String
    ) async throws {
        let server = try await LoopbackServer { _ in .status(302, headers: [("Location", target)]) }
        project(source.replacing("URL", with: server.url), server.url, "")
        let run = workplace.flagmenu(
            "doctor", environment: ["CLOUDKIT_API_TOKEN": "token", "GOOGLE_OAUTH_ACCESS_TOKEN": "token"])
        #expect(run.text.contains(words) && !run.text.contains("PEM file"), "\(run.text)")
    }

    @Test(
        arguments: [
            ("BAD_REQUEST", 400, "-> Correct \"recordType\" (now \"Flag\"), \"nameField\" (now featureName)"),
            ("NOT_FOUND", 404, "-> Correct the container after \"cloudkit:\", \"environment\" (now production) or"),
            (
                "AUTHENTICATION_FAILED", 401,
                "that the id in the variable CLOUDKIT_KEY_ID is of the private key in "
            ),
        ] as [(String, Int, String)])
    func `what CloudKit does not take is told by the setting`(code: String, status: Int, words: String) async throws {
        let server = try await LoopbackServer { _ in
            .json(#"{"uuid": "u", "serverErrorCode": "\#(code)", "reason": "no"}"#, status: status)
        }
        #expect(workplace.shell("openssl ecparam -name prime256v1 -genkey -noout -out key.pem").status == 0)
        project("cloudkit:iCloud.x", server.url, #", "recordType": "Flag", "privateKeyFile": "key.pem""#)
        let run = workplace.flagmenu("doctor", environment: ["CLOUDKIT_KEY_ID": "id"])
        #expect(run.text.contains(words) && server.requests.count == 1, "\(run.text)")
    }

    @Test func `an app that is not the one of the key is told by the settings that say which`() async throws {
        let apps = try await LoopbackFirebaseApps([:])
        workplace.write(apps.googleServicesFile, to: "app.json")
        project("firebase:shop", apps.url, #", "appFile": "app.json", "package": "com.example.none""#)
        let unknown = workplace.flagmenu("doctor")
        #expect(
            unknown.text.contains("-> Correct \"package\" in flagmenu.json to one of those apps"), "\(unknown.text)")
        let server = try await LoopbackServer { _ in .status(403) }
        project("firebase:shop", server.url, #", "appFile": "app.json""#)
        let refused = workplace.flagmenu("doctor")
        #expect(refused.text.contains("is restricted to: to Android apps, \"package\" and"), "\(refused.text)")
    }

    @Test func `what is only odd has what there is to do about it behind it, too`() {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        workplace.writeTrusted(#"{"app": "shop", "sourse": "x", "source": "remote.json"}"#)
        #expect(workplace.flagmenu("set size m --any").status == 0)
        let run = workplace.flagmenu("doctor", environment: ["LC_ALL": "C"])
        for words in [
            "-> Correct the name in \(workplace.place("flagmenu.json")), or remove it.",
            "-> flagmenu reset KEY goes back to the remote value.", "-> Set LC_ALL to a UTF-8 locale, such as C.UTF-8.",
        ] { #expect(run.text.contains(words), "\(words): \(run.text)") }
        let unsafe = workplace.flagmenu("doctor --source ofrep:nowhere", environment: ["FLAGMENU_INSECURE_TLS": "1"])
        #expect(unsafe.text.contains("-> Unset FLAGMENU_INSECURE_TLS;"), "\(unsafe.text)")
    }

    @Test func `of several credentials the one that is used is praised, and blamed`() async throws {
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
            let run = workplace.flagmenu("doctor", environment: both)
            #expect(run.text.contains("with the \(used)") && !run.text.contains(other), "\(run.text)")
            server.server.inject(.status(403), times: .max)
            let refused = workplace.flagmenu("doctor", environment: both)
            server.server.recover()
            #expect(refused.text.contains("the \(used)") && !refused.text.contains(other), "\(refused.text)")
            #expect(refused.text.contains("HTTP status 403") && !refused.text.contains("hush"))
        }
    }

    @Test func `each source has a finding of its own, and one that fails hides no other`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        let broken = try await LoopbackServer { _ in .status(503) }
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        let sources =
            "--source remote.json --source unleash:\(broken.url) --source ofrep:\(server.url) --source gone.json"
        let run = workplace.flagmenu("doctor \(sources)", environment: ["UNLEASH_FRONTEND_TOKEN": "t"])
        let lines = run.text.split(separator: "\n").filter { $0.contains("source  ") }
        #expect(lines.map { $0.prefix(3) } == ["ok ", "!  ", "ok ", "!  "], "\(run.text)")
        #expect(run.text.contains("no such file") && run.text.contains("-> Correct the path"), "\(run.text)")
        #expect(broken.requests.count == 1, "asked once, whatever it says")
    }

    @Test func `a source that hangs is waited for so long and no longer`() async throws {
        let server = try await LoopbackServer { _ in .hang }
        var run: CommandRun?
        let seconds = ContinuousClock().measure { run = workplace.flagmenu(Self.line("ofrep:\(server.url)")) }
        #expect(run?.status == 5 && run?.text.contains("completely within 10 s") == true, "\(run?.text ?? "")")
        #expect(seconds < .seconds(20))
    }
}
