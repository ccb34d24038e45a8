#if Network
import FlagTesting
import TestSupport
import Testing
import VendorServers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A project file of somebody else, or from a cloned repository.
@Suite(.limitedParallelism) struct TrustTests {
    private let workplace = Workplace()
    private let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]

    private func project(_ source: String) {
        workplace.write(#"{"app": "shop", "source": \#(source)}"#, to: "flagmenu.json")
    }

    private static let commands = ["list", "get limit", "set limit 1", "fetch", "doctor", "explain limit", "watch"]
    private static let localCommands = [
        "status", "set local 1 --new", "get local", "undo", "redo", "export -", "history", "list --overridden",
        "reset --all --yes",
    ]

    @Test func `no command sends a credential to a URL that the user has not allowed`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        project(#""ofrep:\#(server.url)""#)
        for command in Self.commands {
            workplace.flagmenu(command, environment: token).expect(
                2, anywhere: "the token in the variable OFREP_TOKEN to \(server.url)",
                "flagmenu trust \(workplace.place("flagmenu.json"))", comment: command)
        }
        for command in Self.localCommands {
            workplace.flagmenu(command, environment: token).expect(0, comment: "\(command) sends nothing")
        }
        #expect(server.server.requests.isEmpty)
        workplace.flagmenu("trust", environment: token).expect(
            text: "to send the token in the variable OFREP_TOKEN to \(server.url)")
        #expect(workplace.flagmenu("get limit", environment: token).text == "42\n")
        workplace.flagmenu("trust --revoke").expect(0, text: "no longer trusted")
        #expect(workplace.flagmenu("get limit", environment: token).status == 2)
    }

    @Test func `another URL needs consent again, but another app or environment does not`() async throws {
        let (trusted, untrusted) = (try await LoopbackOFREP([.init("limit", "42")]), try await LoopbackOFREP([]))
        project(#""ofrep:\#(trusted.url)""#)
        #expect(workplace.flagmenu("trust").status == 0)
        workplace.write(
            #"{"app": "store", "environment": "test", "source": "ofrep:\#(trusted.url)"}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("get limit", environment: token).text == "42\n")
        project(#""ofrep:\#(untrusted.url)""#)
        #expect(workplace.flagmenu("list", environment: token).status == 2)
        // An unused option of another kind of source must not hide where requests go.
        project(#"{"source": "ofrep:\#(untrusted.url)", "url": "\#(trusted.url)", "streamURL": "\#(trusted.url)"}"#)
        workplace.flagmenu("list", environment: token).expect(2, errors: untrusted.url)
        #expect(untrusted.server.requests.isEmpty)
    }

    @Test func `a project file cannot allow http for a source that the user has typed`() {
        let source = "ofrep:http://flags.invalid:4242"
        project(#"{"source": "\#(source)", "allowHTTP": "yes"}"#)
        for line in ["list", "list --source \(source)"] {
            workplace.flagmenu(line, environment: token).expect(
                2, errors: "flagmenu trust", "OFREP_TOKEN to http://flags.invalid:4242", comment: line)
        }
        #expect(workplace.flagmenu("trust", environment: token).status == 0)
        workplace.flagmenu("list --source \(source)", environment: token).expect(errors: "host flags.invalid not found")
    }

    @Test func `a credential in place of a variable's name is not stored`() {
        project(##"{"source": "ofrep:https://flags.invalid", "tokenVariable": "hush0123456789abcdefghij"}"##)
        #expect(workplace.flagmenu("trust").status == 0)
        workplace.shell("cat '\(workplace.home)/.config/flagmenu/trusted.json'").expect(
            text: "tokenVariable", without: "hush")
    }

    @Test func `a source without a credential, or named by the user, needs no permission`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        project(#""ofrep:\#(server.url)""#)
        #expect(workplace.flagmenu("get limit").text == "42\n")
        workplace.flagmenu("get limit --source ofrep:\(server.url)", environment: token).expect(exactly: "42\n")
        project(#""ofrep:""#)
        workplace.flagmenu(
            "get limit", environment: ["OFREP_TOKEN": "hush-token", "OFREP_ENDPOINT": server.url]
        ).expect(exactly: "42\n")
    }

    @Test(arguments: [
        (#""tokenVariable": "AWS_SECRET""#, "the token in the variable AWS_SECRET to"),
        (#""tokenFile": "HOME/secret""#, "the token in the file HOME/secret to"),
        (#""tokenFile": "../home/secret""#, "the token in the file HOME/secret to"),
        (#""tokenFile": "linked""#, "the token in the file HOME/secret to"),
    ])
    func `another variable, or a file outside the project, needs consent`(member: String, words: String) {
        workplace.write("hush-secret", to: "\(workplace.home)/secret")
        #expect(symlink("\(workplace.home)/secret", workplace.place("linked")) == 0)
        func filled(_ text: String) -> String { text.replacing("HOME", with: workplace.home) }
        // Also at the service's own URL, where its usual variable needs no permission.
        project(#"{"source": "launchdarkly:abc", \#(filled(member).replacing("token", with: "mobileKey"))}"#)
        let secret: [String: String?] = ["AWS_SECRET": "hush-secret", "LAUNCHDARKLY_MOBILE_KEY": "mob-hush"]
        let expected = filled(words).replacing("token", with: "mobileKey")
        workplace.flagmenu("list", environment: secret).expect(2, errors: expected + " https://")
    }

    @Test func `the usual variable is sent to the service's own URL without consent`() throws {
        project(#""launchdarkly:abc""#)
        workplace.flagmenu(
            "list", environment: ["LAUNCHDARKLY_MOBILE_KEY": "mob-hush", "https_proxy": "http://127.0.0.1:9"]
        ).expect(5, errors: "127.0.0.1:9", without: "trust")
    }

    /// The variable may be set later, for example in a CI script.
    @Test func `trust applies once the variable is set, and to no other variable`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        project(#"{"source": "ofrep:\#(server.url)", "tokenVariable": "my_token"}"#)
        #expect(workplace.flagmenu("trust").status == 0)
        workplace.flagmenu("get limit", environment: ["my_token": "hush-token"]).expect(exactly: "42\n")
        project(#"{"source": "ofrep:\#(server.url)", "tokenVariable": "other_token"}"#)
        #expect(workplace.flagmenu("list", environment: ["other_token": "hush-token"]).status == 2)
    }

    @Test func `standard input is never sent as a credential file`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        project(#"{"source": "ofrep:\#(server.url)", "tokenFile": "/dev/stdin"}"#)
        workplace.flagmenu(["get", "limit"], input: "hush-token").expect(2)
        #expect(server.server.requests.isEmpty)
    }

    @Test func `trusting the file of an app does not trust the token of its project`() async throws {
        let server = try await LoopbackFirebase(template: "{}", token: "hush-token")
        workplace.write(
            #"{"project_info": {"project_id": "shop", "project_number": "1"}, "client": [{"client_info": "#
                + #"{"mobilesdk_app_id": "1:1:android:1", "android_client_info": {"package_name": "a.b"}}, "#
                + #""api_key": [{"current_key": "key"}]}]}"#, to: "google-services.json")
        project(#"{"source": "firebase:shop", "url": "\#(server.url)", "appFile": "google-services.json"}"#)
        let token: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        workplace.flagmenu("firebase versions", environment: token).expect(
            2, errors: "the token in the variable GOOGLE_OAUTH_ACCESS_TOKEN to \(server.url)")
        #expect(server.server.requests.isEmpty)
    }

    @Test func `a store outside the project needs consent`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "remote.json")
        workplace.write(
            #"{"app": "shop", "source": "remote.json", "store": "\#(workplace.home)/other"}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("set limit 2").status == 2)
        #expect(workplace.flagmenu("trust").text.contains("to keep overrides in "))
        #expect(workplace.flagmenu("set limit 2").status == 0)
        #expect(workplace.flagmenu("get limit").text == "2\n")
    }

    @Test func `on a terminal the user is prompted once; after No, no credential is sent`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        project(#""ofrep:\#(server.url)""#)
        func get(_ reply: String) -> CommandRun {
            workplace.flagmenu(["get", "limit"], input: reply, environment: token, isOnTerminal: true)
        }
        get("n\n").expect(2, text: "Allow it from now on? [y/N]")
        #expect(server.server.requests.isEmpty)
        get("y\n").expect(0, text: "42")
        get("").expect(0, without: "Allow")
    }

    @Test func `an invalid list of trusted files allows nothing`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        project(#""ofrep:\#(server.url)""#)
        let list = "\(workplace.home)/.config/flagmenu/trusted.json"
        for text in ["{", #"{"format": 2, "projects": {}}"#] {
            workplace.write(text, to: list)
            workplace.flagmenu("get limit", environment: token).expect(2, errors: "Fix it or remove it.")
            #expect(workplace.flagmenu("trust").status == 2 && workplace.read(list) == text)
        }
        #expect(server.server.requests.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func `a project file of another user is not read until it is trusted, and init works below it`() throws {
        project(#""remote.json""#)
        workplace.write(#"{"limit": 1}"#, to: "remote.json")
        #expect(chown(workplace.place("flagmenu.json"), 4_242, 4_242) == 0)
        for command in ["list", "set limit 2", "status --files"] {
            workplace.flagmenu(command).expect(
                2, errors: "belongs to another user, uid 4242", "flagmenu trust ", comment: command)
        }
        #expect(workplace.flagmenu("prompt").text == "")
        // With sudo, the files of the original user are still the user's own.
        #expect(workplace.flagmenu("get limit", environment: ["SUDO_UID": "4242"]).text == "1\n")
        let below = workplace.shell(
            "mkdir below && cd below && flagmenu init --source ../remote.json --yes && flagmenu get limit"
        ).expect(0)
        #expect(below.text.hasSuffix("1\n"), "\(below.text)\(below.errorText)")
        #expect(workplace.flagmenu("trust").text.contains("to belong to uid 4242"))
        #expect(workplace.flagmenu("get limit").text == "1\n")
        #expect(chown(workplace.place("flagmenu.json"), 4_343, 4_343) == 0)
        workplace.flagmenu("init --source remote.json --yes --replace").expect(2, errors: "another user")
    }

    @Test func `doctor reports a credential file that other users can read`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        workplace.write("hush-token", to: "token")
        workplace.writeSource("ofrep:\(server.url)", #""tokenFile": "token""#)
        #expect(chmod(workplace.place("token"), 0o640) == 0)
        workplace.flagmenu("doctor").expect(
            text: "the token in the file \(workplace.place("token")) can be read by other users", "its mode is 640.",
            "-> Run chmod 600 ")
        #expect(chmod(workplace.place("token"), 0o600) == 0)
        #expect(!workplace.flagmenu("doctor").text.contains("can be read by other"))
    }
}
#endif
