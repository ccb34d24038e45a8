import FlagModel
import FlagRemote
import FlagTesting
import TestSupport
import Testing
import VendorServers

/// `flagmenu init`: the file that it writes is one that every command takes, and nothing is lost or leaked on the way.
@Suite(.fewAtOnce) struct InitTests {
    private let workplace = Workplace()

    private func server(token: String? = nil) async throws -> LoopbackOFREP {
        try await LoopbackOFREP([.init("max-items", "42")], token: token)
    }

    private func type(_ answers: String..., line: String = "init", environment: [String: String?] = [:]) -> CommandRun {
        workplace.flagmenu(
            line.split(separator: " ").map(String.init), input: answers.map { $0 + "\n" }.joined(),
            environment: environment, isOnTerminal: true)
    }

    @Test func `options make a file that every command takes`() async throws {
        let server = try await server(token: "hush-token")
        let line =
            "init --source ofrep:\(server.url) --setting tokenVariable=SHOP_TOKEN --setting pollSeconds=30 "
            + #"--setting context={"targetingKey":"ana"} --app shop --yes"#
        let run = workplace.flagmenu(line, environment: ["SHOP_TOKEN": "hush-token"])
        #expect(run.status == 0, "\(run.words)")
        #expect(
            workplace.shell("umask 022; ls -l flagmenu.json").text.hasPrefix("-rw-r--r--"), "others of the team read it"
        )
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
        #expect(run.words.contains("ok  source") && run.words.contains("with the token in the variable SHOP_TOKEN"))
        #expect(server.server.requests.last?.json?["context"]?["targetingKey"]?.text == "ana")
        let get = workplace.flagmenu("get max-items", environment: ["SHOP_TOKEN": "hush-token"])
        #expect(get.text == "42\n", "\(get.words)")
        #expect(workplace.flagmenu("config").status == 0)
        #expect(!(run.words + run.text).contains("hush"))
    }

    @Test func `a file that is there is never written over unasked`() async throws {
        workplace.write(#"{"app": "old"}"#, to: "flagmenu.json")
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        let run = workplace.flagmenu("init --source remote.json --yes")
        #expect(run.status == 2 && run.words.contains("already exists"), "\(run.words)")
        for answers in [["n"], [""], []] {
            _ = workplace.flagmenu(
                ["init", "--source", "remote.json"], input: answers.map { $0 + "\n" }.joined() + "\u{4}",
                isOnTerminal: true, patience: 3)
            #expect(workplace.read("flagmenu.json") == #"{"app": "old"}"#, "\(answers)")
        }
        #expect(workplace.flagmenu("init --source remote.json --app shop --yes --replace").status == 0)
        #expect(workplace.read("flagmenu.json")?.contains(#""source": "remote.json""#) == true)
    }

    @Test func `Enter all the way takes the document of the folder, and writes a file that works`() {
        workplace.write(#"{"name": "x", "version": "1"}"#, to: "package.json")
        workplace.write("{", to: "broken.json")
        workplace.write(#"{"limit": "1"}"#, to: "values.json")
        workplace.write(#"{"limit": "2"}"#, to: "remote-config.json")
        let run = workplace.flagmenu(["init"], input: "\n\n\n\n\n", isOnTerminal: true, patience: 10)
        #expect(run.text.contains("1  remote-config.json") && run.text.contains("2  values.json"), "\(run.text)")
        #expect(!run.text.contains("broken.json") && !run.text.contains("package.json"))
        #expect(workplace.read("flagmenu.json")?.contains(#""source": "remote-config.json""#) == true, "\(run.text)")
        #expect(workplace.flagmenu("get limit").text == "2\n")
    }

    @Test func `a slip in the path of a document is asked about again, with what may have been meant`() {
        workplace.write(#"{"limit": "2"}"#, to: "config/remote.json")
        workplace.write("{}", to: "config/empty.json")
        for (typed, words) in [
            ("config/remote.jsn", #"config/remote.jsn: no such file. Did you mean "config/remote.json"?"#),
            ("config/", "config/ is a folder. Documents in it: config/remote.json."),
            ("nosuch", "nosuch: no such file."),
        ] {
            let run = type("1", typed, "config/remote.json", "", "shop", "y", line: "init --replace")
            #expect(run.text.replacing("\r\n  ", with: " ").contains(words), "\(run.text)")
            #expect(
                workplace.read("flagmenu.json")?.contains(#""source": "config/remote.json""#) == true, "\(run.text)")
        }
        let whole = type("confg/remote.json", "config/remote.json", "", "shop", "y", line: "init --replace")
        #expect(whole.text.contains("confg/remote.json: no such file."), "\(whole.text)")
        #expect(workplace.flagmenu("get limit").text == "2\n")
    }

    @Test func `without an app id the folder gives its name, so that renaming it loses no override`() {
        workplace.write(#"{"limit": "1"}"#, to: "shop/remote.json")
        #expect(
            workplace.shell("cd shop && flagmenu init --source remote.json --yes && flagmenu set limit 2").status == 0)
        #expect(workplace.shell("mv shop store && cd store && flagmenu get limit").text == "2\n")
    }

    @Test func `without a terminal it takes options and nothing else`() {
        for line in ["init", "init --yes", "init --source remote.json"] {
            let run = workplace.flagmenu(line, input: "1\nremote.json\n\n\ny\n")
            #expect(run.status == 2 && run.words.contains("Nothing was written"), "\(line): \(run.words)")
        }
        #expect(workplace.read("flagmenu.json") == nil)
    }

    @Test func `on a terminal it asks, shows what it will write, and writes nothing on no`() async throws {
        let server = try await server(token: "hush-token")
        let answers = ["2", server.url, "SHOP_TOKEN", "", "", "shop"]
        let refused = workplace.flagmenu(
            ["init"], input: (answers + ["n"]).map { $0 + "\n" }.joined(), environment: ["SHOP_TOKEN": "hush-token"],
            isOnTerminal: true)
        #expect(refused.status == 0 && refused.text.contains("Nothing was written."), "\(refused.text)")
        #expect(workplace.read("flagmenu.json") == nil)
        let run = workplace.flagmenu(
            ["init"], input: (answers + ["y"]).map { $0 + "\n" }.joined(), environment: ["SHOP_TOKEN": "hush-token"],
            isOnTerminal: true)
        #expect(run.status == 0, "\(run.text)")
        for words in [
            "a server that speaks OFREP", "its variable", "\"tokenVariable\": \"SHOP_TOKEN\"",
            "ok  source", "Wrote ",
        ] { #expect(run.text.contains(words), "\(words): \(run.text)") }
        #expect(!run.text.contains("hush"))
        #expect(
            workplace.flagmenu("get max-items", environment: ["SHOP_TOKEN": "hush-token"]).text == "42\n")
    }

    @Test func `a document with categories lies beside the source`() throws {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        workplace.write(
            #"{"config_categories": [{"category": "Looks", "items": [{"key": "size", "value": "s|m|l"}]}]}"#,
            to: "categories.json")
        let run = type("remote.json", "categories.json", "", "y")
        #expect(run.status == 0, "\(run.text)")
        #expect(workplace.read("flagmenu.json")?.contains("\"categories.json\"") == true)
        let list = workplace.flagmenu("list --category Looks").text
        #expect(list.contains("size"), "\(list)")
        #expect(workplace.flagmenu("set size xxl").status == 3, "the options are known")
    }

    @Test func `a credential that is typed or given as one is refused and shown nowhere`() async throws {
        let server = try await server()
        // In lines, so that the terminal's own echo is none.
        let run = type("ofrep:\(server.url)", "hush-token", "", "", "", "shop", "y")
        #expect(run.status == 0 && run.text.contains("A credential itself is never written."), "\(run.text)")
        #expect(workplace.read("flagmenu.json")?.contains("hush") == false)
        for line in [
            "init --source ofrep:http://ana:hush@127.0.0.1/ --yes --replace",
            "init --source ofrep:http://127.0.0.1/?token=hush --yes --replace",
            "init --source ofrep:\(server.url) --setting token=hush --yes --replace",
        ] {
            let run = workplace.flagmenu(line)
            #expect(run.status == 2 && !(run.text + run.words).contains("hush"), "\(line): \(run.words)")
        }
        #expect(workplace.read("flagmenu.json")?.contains("hush") == false)
    }

    @Test(arguments: [
        "url=https://ana:hush-Token1@relay.example", "url=https://relay.example/?token=hush-Token1",
        "url=ana:hush-Token1@relay.example", "streamURL=https://ana:hush-Token1@relay.example",
        "tokenVariable=hush-Token1", "tokenVariable=hush_Token1", "hush-Token1==", "hushToken1=",
        "prefix=https://a:hush-Token1@b", "tokenFile=hush-1a2B3c4D5e6F7g8H9", "tokenFile=eyJhbGciOiJub25lIn0.hush.",
        "tokenFile=default:development.hush-token", "keyFile=sub/hush1a2B3c4D5e6F7g8H9/i0==",
    ])
    func `a credential in a setting is refused and shown nowhere`(setting: String) async throws {
        let server = try await server()
        let run = workplace.flagmenu([
            "init", "--source", "ofrep:\(server.url)", "--setting", setting, "--app", "shop", "--yes",
        ])
        #expect(run.status == 2 && run.words.contains("Nothing was written."), "\(run.words)")
        #expect(!(run.text + run.words).contains("hush"), "\(run.words)")
        #expect(workplace.read("flagmenu.json") == nil && server.server.requests.isEmpty)
    }

    @Test func `a credential that stands in the place of a variable's name is shown nowhere`() async throws {
        let server = try await server()
        workplace.write(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)", "tokenVariable": "hush_Token1"}}"#,
            to: "flagmenu.json")
        for line in ["list", "fetch", "doctor", "doctor --json", "status"] {
            let run = workplace.flagmenu(line)
            #expect(!(run.text + run.words).contains("hush"), "\(line): \(run.text)\(run.words)")
        }
        #expect(workplace.flagmenu("list").words.contains("the variable that \"tokenVariable\" names"))
    }

    @Test func `a file for a credential that is not there yet is written and told of`() async throws {
        let server = try await server(token: "hush-token")
        for file in ["secrets/token.txt", "./production-token-2026-11", "token"] {
            let run = workplace.flagmenu(
                "init --source ofrep:\(server.url) --setting tokenFile=\(file) --app shop --yes --replace")
            #expect(run.status == 0 && run.words.contains("but there is no such file"), "\(run.words)")
            #expect(workplace.read("flagmenu.json")?.contains(#""tokenFile": "\#(file)""#) == true)
        }
        let name = "token1a2B3c4D5e6F7g8H9i0"
        workplace.write("hush-token\n", to: name)
        let line = "init --source ofrep:\(server.url) --setting tokenFile=\(name) --app shop --yes --replace"
        #expect(workplace.flagmenu(line).status == 0, "it is there, whatever it looks like")
        #expect(workplace.flagmenu("get max-items").text == "42\n")
    }

    @Test func `a credential that is typed as a file is shown nowhere`() async throws {
        let server = try await server()
        let typed = type("ofrep:\(server.url)", "file:hush1a2B3c4D5e6F7g8H9i0", "file:token.txt", "", "", "shop", "n")
        #expect(typed.text.contains("\"***\" is not a path: no such file."), "\(typed.text)")
        #expect(typed.text.contains("There is no such file now;"), "\(typed.text)")
        workplace.write(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)", "tokenFile": "hush1a2B3c4D5e6F7g8H9i0"}}"#,
            to: "flagmenu.json")
        for line in ["list", "doctor", "doctor --json", "status"] {
            let run = workplace.flagmenu(line)
            #expect(!(run.text + run.words).contains("hush"), "\(line): \(run.text)\(run.words)")
        }
        #expect(workplace.flagmenu("list").words.contains("the file that \"tokenFile\" names"))
    }

    @Test func `what a source's name lacks its settings may say`() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.googleServicesFile, to: "app.json")
        let run = workplace.flagmenu(
            "init --source firebase: --setting appFile=app.json --setting url=\(server.url) --app shop --yes")
        #expect(run.status == 0, "\(run.words)")
        #expect(workplace.flagmenu("get menu").text == "round\n")
        let none = workplace.flagmenu("init --source firebase: --setting version=3 --app shop --yes --replace")
        #expect(none.status == 2 && none.words.contains("named by its id"), "\(none.words)")
        let missing = workplace.flagmenu("init --source firebase: --setting appFile=no.json --app shop --yes --replace")
        #expect(missing.status == 2 && missing.words.contains("no.json"), "\(missing.words)")
    }

    @Test func `a source that cannot be read is told as doctor tells it, and written when somebody insists`()
        async throws
    {
        let server = try await server(token: "hush-token")
        let run = workplace.flagmenu("init --source ofrep:\(server.url) --app shop --yes")
        #expect(run.status == 0 && run.words.contains("(HTTP status 401)"), "\(run.words)")
        #expect(run.words.contains("-> Put the token into the variable OFREP_TOKEN"), "\(run.words)")
        #expect(workplace.read("flagmenu.json") != nil)
        let asked = type("n", line: "init --source ofrep:\(server.url) --app shop --replace")
        #expect(asked.text.contains("There are errors. Write it anyway?"), "\(asked.text)")
        #expect(asked.text.contains("Nothing was written."))
    }

    @Test func `it asks for the file that lets in to Firebase, and knows an app's from a service account's`()
        async throws
    {
        let server = try await LoopbackFirebase(
            template: #"{"parameters": {"menu": {"defaultValue": {"value": "a"}}}}"#)
        let apps = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.serviceAccountFile(), to: "account.json")
        workplace.write(apps.googleServicesFile, to: "app.json")
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        // What is pasted in the place of a path, or ends a key that was, is no path.
        let pasted = ["hush-0123456789-abcdef", "-----BEGIN PRIVATE KEY-----", "hush==", "remote.json"]
        let answers = pasted + ["account.json", "y"]
        let line = "init --source firebase:shop --app shop --setting url=\(server.url)"
        let run = workplace.flagmenu(
            line.split(separator: " ").map(String.init), input: answers.map { $0 + "\n" }.joined(), isOnTerminal: true)
        #expect(run.status == 0, "\(run.text)")
        #expect(workplace.read("flagmenu.json")?.contains(#""serviceAccountFile": "account.json""#) == true)
        #expect(workplace.flagmenu("get menu").text == "a\n")
        #expect(
            run.text.ranges(of: "\"***\" is ").count == 3 && !run.text.contains("hush"), "\(run.text)")
        #expect(run.text.contains("remote.json is not the key file of a service account, nor the file of an app"))
        let app = type(
            "app.json", "y", line: "init --source firebase:shop --app shop --setting url=\(apps.url) --replace")
        #expect(app.status == 0 && workplace.flagmenu("get menu").text == "round\n", "\(app.text)")
    }

    @Test func `it asks for the key of CloudKit and its id, or for the variable of a token`() {
        #expect(workplace.shell("openssl ecparam -name prime256v1 -genkey -noout -out key.pem").status == 0)
        _ = type("6", "iCloud.com.example", "key.pem", "SHOP_KEY_ID", "", "shop", "y")
        #expect(
            workplace.read("flagmenu.json")?.contains(
                "\"privateKeyFile\": \"key.pem\",\n    \"keyIDVariable\": \"SHOP_KEY_ID\"\n") == true)
        _ = type("6", "iCloud.com.example", "SHOP_TOKEN", "", "shop", "y", line: "init --replace")
        #expect(workplace.read("flagmenu.json")?.contains("\"tokenVariable\": \"SHOP_TOKEN\"\n") == true)
    }

    @Test func `whoever names the place of a credential is not asked for it`() {
        let line = "init --source firebase:shop --setting tokenVariable=SHOP_TOKEN --app shop"
        let run = type("n", line: line)
        #expect(!run.text.contains("credentials") && run.text.contains("Nothing was written."), "\(run.text)")
        #expect(
            type("", "n", line: "init --source firebase:shop --app shop").text.contains(
                "Sources of firebase: use one of these credentials:"))
    }

    @Test func `overrides that were made before stay in sight`() {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        #expect(workplace.flagmenu("set size l --any --source remote.json").status == 0)
        let run = workplace.flagmenu("init --source remote.json --app shop --yes")
        let words =
            "1 override is saved under the app id remote, the default of remote.json without flagmenu.json, and not under shop; flagmenu list --overridden --app remote shows it."
        #expect(run.status == 0 && run.words.contains(words), "\(run.words)")
        #expect(workplace.flagmenu("list --overridden --app remote").text.contains("size\tl"))
        for options in ["--app remote", "--app shop --store overrides"] {
            let silent = workplace.flagmenu("init --source remote.json --yes --replace \(options)")
            #expect(silent.status == 0 && !silent.words.contains("is saved under"), "\(silent.words)")
        }
    }

    @Test func `who asks for no change gets no file`() {
        workplace.write(#"{"size": "m"}"#, to: "remote.json")
        let run = workplace.flagmenu("init --source remote.json --yes --read-only")
        #expect(run.status == 4 && run.words.contains("Read-only (set by --read-only)"), "\(run.words)")
        #expect(workplace.read("flagmenu.json") == nil)
        workplace.write(#"{"app": "shop", "readOnly": true}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("init --source remote.json --yes --replace").status == 4)
        workplace.write("{", to: "flagmenu.json")
        #expect(workplace.flagmenu("init --source remote.json --yes --replace").status == 2)
        #expect(workplace.read("flagmenu.json") == "{")
    }

    @Test(
        arguments: [
            ("--source ofrep:nonsense", "nonsense"), ("--source remote.json --setting colour=red", "is not a setting"),
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
        ] as [(String, String)])
    func `a slip in an option writes nothing`(options: String, words: String) {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        let run = workplace.flagmenu("init \(options) --yes")
        #expect(run.status == 2 && run.words.contains(words), "\(run.status): \(run.words)")
        #expect(workplace.read("flagmenu.json") == nil)
    }

    @Test func `what it did is JSON for those who ask for it`() {
        workplace.write(#"{"a": "1"}"#, to: "remote.json")
        let run = workplace.flagmenu("init --source remote.json --yes --json")
        #expect(run.status == 0 && run.text.contains(#""written": "#) && run.text.contains(#""subject": "source""#))
    }
}
