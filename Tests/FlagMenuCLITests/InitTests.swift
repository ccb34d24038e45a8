#if Network
import FlagModel
import FlagRemote
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// `flagmenu init` writes a file that every command accepts, and loses or leaks nothing.
@Suite(.limitedParallelism) struct InitTests {
    private let workplace = Workplace()

    private func server(token: String? = nil) async throws -> LoopbackOFREP {
        try await LoopbackOFREP([.init("max-items", "42")], token: token)
    }

    private func type(_ responses: String..., line: String = "init", environment: [String: String?] = [:]) -> CommandRun
    {
        workplace.onTerminal(line, typing: responses, environment: environment)
    }

    @Test func `init with options writes a file that every command accepts`() async throws {
        let server = try await server(token: "hush-token")
        let line =
            "init --source ofrep:\(server.url) --setting tokenVariable=SHOP_TOKEN --setting pollSeconds=30 "
            + #"--setting context={"targetingKey":"ana"} --app shop --yes"#
        let token = ["SHOP_TOKEN": "hush-token"]
        workplace.flagmenu(line, environment: token).expect(
            0, errors: "ok  source", "with the token in the variable SHOP_TOKEN", without: "hush")
        // The rest of the team can read the file.
        #expect(workplace.shell("umask 022; ls -l flagmenu.json").text.hasPrefix("-rw-r--r--"))
        #expect(
            workplace.read("flagmenu.json") == """
                {
                  "app": "shop",
                  "source": {
                    "source": "ofrep:\(server.url)",
                    "tokenVariable": "SHOP_TOKEN",
                    "pollSeconds": 30,
                    "context": {"targetingKey":"ana"}
                  }
                }

                """)
        #expect(server.server.requests.last?.json?["context"]?["targetingKey"]?.text == "ana")
        workplace.flagmenu("get max-items", environment: token).expect(exactly: "42\n")
        #expect(workplace.flagmenu("status --files").status == 0)
    }

    @Test func `an existing file is not replaced without --replace`() {
        workplace.write(#"{"app": "old"}"#, to: "flagmenu.json")
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.flagmenu("init --source remote.json --yes").expect(2, errors: "already exists")
        type("y", line: "init --source remote.json").expect(2, text: "--replace")
        #expect(workplace.read("flagmenu.json") == #"{"app": "old"}"#)
        #expect(workplace.flagmenu("init --source remote.json --app shop --yes --replace").status == 0)
        #expect(workplace.read("flagmenu.json")?.contains(#""source": "remote.json""#) == true)
    }

    @Test func `Enter at every prompt selects the folder's document and writes a working file`() {
        workplace.write(#"{"name": "x", "version": "1"}"#, to: "package.json")
        workplace.write("{", to: "broken.json")
        workplace.write(#"{"limit": "1"}"#, to: "toggles.json")
        workplace.write(#"{"limit": "2"}"#, to: "remote-config.json")
        let run = workplace.onTerminal("init", typing: ["", "", "", "", ""], timeout: 10).expect(
            text: "1  remote-config.json", "2  toggles.json", without: "broken.json", "package.json")
        #expect(workplace.read("flagmenu.json")?.contains(#""source": "remote-config.json""#) == true, "\(run.text)")
        #expect(workplace.flagmenu("get limit").text == "2\n")
    }

    @Test func `a wrong path is rejected with suggestions, and the prompt repeats`() {
        workplace.write(#"{"limit": "2"}"#, to: "config/remote.json")
        workplace.write("{}", to: "config/empty.json")
        for (typed, words) in [
            ("config/remote.jsn", #"config/remote.jsn: no such file. Did you mean "config/remote.json"?"#),
            ("config/", "config/: this is a directory, expected a file."),
            ("nosuch", "nosuch: no such file."),
        ] {
            let run = type("shop", typed, "config/remote.json", "", "y", line: "init --replace")
            #expect(run.text.replacing("\r\n  ", with: " ").contains(words), "\(run.text)")
            #expect(
                workplace.read("flagmenu.json")?.contains(#""source": "config/remote.json""#) == true, "\(run.text)")
        }
        type("shop", "confg/remote.json", "config/remote.json", "", "y", line: "init --replace").expect(
            text: "confg/remote.json: no such file.")
        #expect(workplace.flagmenu("get limit").text == "2\n")
    }

    @Test func `the default app id is saved, so that renaming the folder loses no override`() {
        workplace.write(#"{"limit": "1"}"#, to: "shop/remote.json")
        workplace.shell("cd shop && flagmenu init --source remote.json --yes && flagmenu set limit 2").expect(0)
        #expect(workplace.shell("mv shop store && cd store && flagmenu get limit").text == "2\n")
    }

    @Test func `without a terminal init requires --source and --yes`() {
        for line in ["init", "init --yes", "init --source remote.json"] {
            workplace.flagmenu(line, input: "1\nremote.json\n\n\ny\n").expect(
                2, errors: "Nothing was written", comment: line)
        }
        #expect(workplace.read("flagmenu.json") == nil)
    }

    @Test func `on a terminal init prompts, shows the file, and writes nothing on no`() async throws {
        let server = try await server(token: "hush-token")
        let responses = ["shop", "ofrep:\(server.url)", "", "tokenVariable=SHOP_TOKEN"]
        let token = ["SHOP_TOKEN": "hush-token"]
        workplace.onTerminal("init", typing: responses + ["n"], environment: token).expect(
            0, text: "Nothing was written.")
        #expect(workplace.read("flagmenu.json") == nil)
        workplace.onTerminal("init", typing: responses + ["y"], environment: token).expect(
            0, text: "a server that speaks OFREP", "A setting that corrects it", "\"tokenVariable\": \"SHOP_TOKEN\"",
            "ok  source", "Wrote ", without: "hush")
        workplace.flagmenu("get max-items", environment: ["SHOP_TOKEN": "hush-token"]).expect(exactly: "42\n")
    }

    @Test func `init adds a document with categories to the source`() throws {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        workplace.write(
            #"{"config_categories": [{"category": "Looks", "items": [{"key": "size", "value": "s|m|l"}]}]}"#,
            to: "categories.json")
        type("", "remote.json", "categories.json", "", "y").expect(0, without: "A setting that corrects it")
        #expect(workplace.read("flagmenu.json")?.contains("\"categories.json\"") == true)
        workplace.flagmenu("list --category Looks").expect(text: "size")
        #expect(workplace.flagmenu("set size xxl").status == 3, "the options come from categories.json")
    }

    @Test func `a typed credential is rejected and never shown`() async throws {
        let server = try await server(token: "hush-right")
        // In raw mode, so that the terminal itself does not echo.
        type("shop", "ofrep:\(server.url)", "", "hush-token", "tokenVariable=hush-token", "", "y").expect(
            0, text: "A setting is NAME=VALUE", "tokenVariable needs", without: "hush")
        #expect(workplace.read("flagmenu.json")?.contains("hush") == false)
    }

    @Test(arguments: [
        "url=https://ana:hush-Token1@relay.example", "url=https://relay.example/?token=hush-Token1",
        "url=ana:hush-Token1@relay.example", "streamURL=https://ana:hush-Token1@relay.example",
        "tokenVariable=hush-Token1", "tokenVariable=hush_Token1", "hush-Token1==", "hushToken1=",
        "prefix=https://a:hush-Token1@b", "token=hush", "tokenFile=hush-1a2B3c4D5e6F7g8H9",
        "tokenFile=eyJhbGciOiJub25lIn0.hush.",
        "tokenFile=default:development.hush-token", "keyFile=sub/hush1a2B3c4D5e6F7g8H9/i0==",
    ])
    func `a credential in a setting is rejected and never shown`(setting: String) async throws {
        let server = try await server()
        workplace.flagmenu([
            "init", "--source", "ofrep:\(server.url)", "--setting", setting, "--app", "shop", "--yes",
        ]).expect(2, errors: "Nothing was written.", without: "hush")
        #expect(workplace.read("flagmenu.json") == nil && server.server.requests.isEmpty)
    }

    @Test func `a credential file that does not exist yet is accepted with a warning`() async throws {
        let server = try await server(token: "hush-token")
        for file in ["secrets/token.txt", "./production-token-2026-11", "token"] {
            workplace.flagmenu(
                "init --source ofrep:\(server.url) --setting tokenFile=\(file) --app shop --yes --replace"
            ).expect(0, errors: "but there is no such file")
            #expect(workplace.read("flagmenu.json")?.contains(#""tokenFile": "\#(file)""#) == true)
        }
        let name = "token1a2B3c4D5e6F7g8H9i0"
        workplace.write("hush-token\n", to: name)
        let line = "init --source ofrep:\(server.url) --setting tokenFile=\(name) --app shop --yes --replace"
        workplace.flagmenu(line).expect(0, comment: "an existing file is accepted, even if its name looks like a token")
        #expect(workplace.flagmenu("get max-items").text == "42\n")
    }

    @Test func `settings can provide what the name of a source omits`() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.googleServicesFile, to: "app.json")
        workplace.flagmenu(
            "init --source firebase: --setting appFile=app.json --setting url=\(server.url) --app shop --yes"
        ).expect(0)
        #expect(workplace.flagmenu("get menu").text == "round\n")
        workplace.flagmenu("init --source firebase: --setting version=3 --app shop --yes --replace").expect(
            2, errors: "named by its id")
        workplace.flagmenu("init --source firebase: --setting appFile=no.json --app shop --yes --replace").expect(
            2, errors: "no.json")
    }

    @Test func `an unreadable source is reported as in doctor, and written only if confirmed`() async throws {
        let server = try await server(token: "hush-token")
        workplace.flagmenu("init --source ofrep:\(server.url) --app shop --yes").expect(
            0, errors: "(HTTP status 401)", "-> Put the token into the variable OFREP_TOKEN")
        #expect(workplace.read("flagmenu.json") != nil)
        type("", "n", line: "init --source ofrep:\(server.url) --app shop --replace").expect(
            text: "There are errors. Write it anyway?", "Nothing was written.")
    }

    @Test func `init asks for the setting with a Firebase credential file`() async throws {
        let server = try await LoopbackFirebase(
            template: #"{"parameters": {"menu": {"defaultValue": {"value": "a"}}}}"#)
        let apps = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.serviceAccountFile(), to: "account.json")
        workplace.write(apps.googleServicesFile, to: "app.json")
        let pasted = [
            "hush-0123456789-abcdef", "-----BEGIN PRIVATE KEY-----", "serviceAccountFile=hush1a2B3c4D5e6F7g8H9",
        ]
        let line = "init --source firebase:shop --app shop --setting url=\(server.url)"
        let run = workplace.onTerminal(line, typing: pasted + ["serviceAccountFile=account.json", "y"]).expect(
            0, text: "serviceAccountFile needs", without: "hush")
        #expect(workplace.read("flagmenu.json")?.contains(#""serviceAccountFile": "account.json""#) == true)
        #expect(workplace.flagmenu("get menu").text == "a\n")
        #expect(run.text.ranges(of: "A setting is NAME=VALUE").count == 2, "\(run.text)")
        let app = type(
            "appFile=app.json", "y", line: "init --source firebase:shop --app shop --setting url=\(apps.url) --replace"
        ).expect(0)
        #expect(workplace.flagmenu("get menu").text == "round\n", "\(app.text)")
    }

    @Test func `init asks for the settings of CloudKit, and a setting typed again replaces the first`() {
        #expect(workplace.shell("openssl ecparam -name prime256v1 -genkey -noout -out key.pem").status == 0)
        let source = "cloudkit:iCloud.com.example"
        _ = type(
            "shop", source, "", "privateKeyFile=none.pem", "privateKeyFile=key.pem", "keyIDVariable=SHOP_KEY_ID", "",
            "y")
        #expect(
            workplace.read("flagmenu.json")?.contains(
                "\"\(source)\",\n    \"privateKeyFile\": \"key.pem\",\n    \"keyIDVariable\": \"SHOP_KEY_ID\"\n")
                == true)
        _ = type("shop", source, "", "tokenVariable=SHOP_TOKEN", "", "y", line: "init --replace")
        #expect(workplace.read("flagmenu.json")?.contains("\"tokenVariable\": \"SHOP_TOKEN\"\n") == true)
    }

    @Test func `init reports overrides that are saved under another app id`() throws {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        #expect(workplace.flagmenu("set size l --any --source remote.json").status == 0)
        let run = workplace.flagmenu("init --source remote.json --app shop --yes")
        let words =
            #/1 override of remote.json is stored under the app id (remote-[0-9a-f]{8}), and not used here. flagmenu import (\S+) uses it here, too./#
        let match = try #require(run.errorText.replacing("\n", with: " ").firstMatch(of: words), "\(run.errorText)")
        #expect(workplace.flagmenu("list --overridden").text == "")
        #expect(workplace.flagmenu(["import", String(match.2)]).status == 0)
        #expect(workplace.flagmenu("list --overridden").text.contains("size\tl"))
        for options in ["--app \(match.1)", "--app shop --store overrides"] {
            workplace.flagmenu("init --source remote.json --yes --replace \(options)").expect(
                0, without: "is stored under")
        }
    }

    @Test func `with read-only init writes nothing`() {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        workplace.flagmenu("init --source remote.json --yes --read-only").expect(
            4, errors: "Read-only (set by --read-only)")
        #expect(workplace.read("flagmenu.json") == nil)
        workplace.write(#"{"app": "shop", "readOnly": true}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("init --source remote.json --yes --replace").status == 4)
        workplace.write("{", to: "flagmenu.json")
        #expect(workplace.flagmenu("init --source remote.json --yes --replace").status == 2)
        #expect(workplace.read("flagmenu.json") == "{")
    }

    private static let invalidOptions: [(String, String)] = [
        ("--source ofrep:nonsense", "nonsense"),
        ("--source remote.json --setting colour=red", "is not a setting"),
        ("--source remote.json --setting pollSeconds=often", "pollSeconds must be a whole number of at least 1."),
        (
            "--source remote.json --setting pollSeconds=0",
            "The setting pollSeconds must be a whole number of at least 1."
        ),
        (
            "--source remote.json --setting pollSeconds=1,\"url\":\"x\"",
            "pollSeconds must be a whole number of at least 1."
        ),
        ("--source firebase:shop --setting mode=app", "The setting mode must be one of template, client."),
        ("--source ofrep:http://127.0.0.1:9 --setting context=ana", "The setting context must be an object."),
        ("--source remote.json --setting x", "NAME=VALUE"),
    ]

    @Test(arguments: invalidOptions)
    func `an invalid option writes nothing`(options: String, words: String) {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.flagmenu("init \(options) --yes").expect(2, errors: words)
        #expect(workplace.read("flagmenu.json") == nil)
    }

    @Test func `--json prints what init did`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        workplace.flagmenu("init --source remote.json --yes --json").expect(
            0, text: #""written": "#, #""subject": "source""#)
    }
}
#endif
