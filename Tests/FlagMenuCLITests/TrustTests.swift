import FlagTesting
import TestSupport
import Testing
import VendorServers

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A project file that is somebody else's, or out of a cloned repository.
@Suite(.fewAtOnce) struct TrustTests {
    private let workplace = Workplace()

    private func project(_ source: String) {
        workplace.write(#"{"app": "shop", "source": \#(source)}"#, to: "flagmenu.json")
    }

    private static let commands = [
        "export", "list", "status", "get limit", "set limit 1", "fetch", "doctor", "explain limit",
    ]

    @Test func `a credential goes to no address that the user has not allowed, whatever the command`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]
        project(#""ofrep:\#(server.url)""#)
        for command in Self.commands {
            let run = workplace.flagmenu(command, environment: token)
            let said = run.text + run.words
            #expect(
                run.status == 2 && said.contains("the token in the variable OFREP_TOKEN to \(server.url)")
                    && said.contains("flagmenu trust \(workplace.place("flagmenu.json"))"), "\(command): \(said)")
        }
        #expect(server.server.requests.isEmpty)
        let trusted = workplace.flagmenu("trust", environment: token)
        #expect(trusted.text.contains("to send the token in the variable OFREP_TOKEN to \(server.url)"), "\(trusted)")
        #expect(workplace.flagmenu("get limit", environment: token).text == "42\n")
        let revoked = workplace.flagmenu("trust --revoke")
        #expect(revoked.status == 0 && revoked.text.contains("no longer trusted"), "\(revoked.text)")
        #expect(workplace.flagmenu("get limit", environment: token).status == 2)
    }

    @Test func `another address is asked about again, and a sort order or an app is not`() async throws {
        let (known, other) = (try await LoopbackOFREP([.init("limit", "42")]), try await LoopbackOFREP([]))
        let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]
        project(#""ofrep:\#(known.url)""#)
        #expect(workplace.flagmenu("trust").status == 0)
        workplace.write(
            #"{"app": "store", "environment": "test", "source": "ofrep:\#(known.url)"}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("get limit", environment: token).text == "42\n")
        project(#""ofrep:\#(other.url)""#)
        #expect(workplace.flagmenu("list", environment: token).status == 2)
        // An option of other kinds of sources, which is not read, must not hide where requests go.
        project(#"{"source": "ofrep:\#(other.url)", "url": "\#(known.url)", "streamURL": "\#(known.url)"}"#)
        let hidden = workplace.flagmenu("list", environment: token)
        #expect(hidden.status == 2 && hidden.words.contains(other.url), "\(hidden.words)")
        #expect(other.server.requests.isEmpty)
    }

    @Test func `without a credential there is nothing to allow, and an address that was typed is the user's`()
        async throws
    {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        project(#""ofrep:\#(server.url)""#)
        #expect(workplace.flagmenu("get limit").text == "42\n")
        let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]
        let typed = workplace.flagmenu("get limit --source ofrep:\(server.url)", environment: token)
        #expect(typed.text == "42\n", "\(typed.words)")
        project(#""ofrep:""#)
        let variable = workplace.flagmenu(
            "get limit", environment: ["OFREP_TOKEN": "hush-token", "OFREP_ENDPOINT": server.url])
        #expect(variable.text == "42\n", "\(variable.words)")
    }

    @Test(arguments: [
        (#""tokenVariable": "AWS_SECRET""#, "the token in the variable AWS_SECRET to"),
        (#""tokenFile": "HOME/secret""#, "the token in the file HOME/secret to"),
        (#""tokenFile": "../home/secret""#, "the token in the file HOME/secret to"),
        (#""tokenFile": "linked""#, "the token in the file HOME/secret to"),
    ]) func `a project takes no other variable, and no file outside of its folder, for a credential`(
        member: String, words: String
    ) async throws {
        workplace.write("hush-secret", to: "\(workplace.home)/secret")
        #expect(symlink("\(workplace.home)/secret", workplace.place("linked")) == 0)
        func filled(_ text: String) -> String {
            text.replacing("HOME", with: workplace.home)
        }
        // At the service's own address, too, where its usual variable needs no consent.
        project(#"{"source": "launchdarkly:abc", \#(filled(member).replacing("token", with: "mobileKey"))}"#)
        let secret: [String: String?] = ["AWS_SECRET": "hush-secret", "LAUNCHDARKLY_MOBILE_KEY": "mob-hush"]
        let run = workplace.flagmenu("list", environment: secret)
        let expected = filled(words).replacing("token", with: "mobileKey")
        #expect(run.status == 2 && run.words.contains(expected + " https://"), "\(run.words)")
    }

    @Test func `the usual variable goes to the service's own address without consent`() throws {
        project(#""launchdarkly:abc""#)
        let run = workplace.flagmenu(
            "list", environment: ["LAUNCHDARKLY_MOBILE_KEY": "mob-hush", "https_proxy": "http://127.0.0.1:9"])
        #expect(!run.words.contains("trust"), "\(run.words)")
    }

    /// The variable may be set only later, as in a script of CI.
    @Test func `what trust allows holds once the variable is set, and for no other one`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        project(#"{"source": "ofrep:\#(server.url)", "tokenVariable": "my_token"}"#)
        #expect(workplace.flagmenu("trust").status == 0)
        let run = workplace.flagmenu("get limit", environment: ["my_token": "hush-token"])
        #expect(run.text == "42\n", "\(run.words)")
        project(#"{"source": "ofrep:\#(server.url)", "tokenVariable": "other_token"}"#)
        #expect(workplace.flagmenu("list", environment: ["other_token": "hush-token"]).status == 2)
    }

    @Test func `what is no file with a name of its own is not sent`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        project(#"{"source": "ofrep:\#(server.url)", "tokenFile": "/dev/stdin"}"#)
        let run = workplace.flagmenu(["get", "limit"], input: "hush-token")
        #expect(run.status == 2, "\(run.words)")
        #expect(server.server.requests.isEmpty)
    }

    @Test func `the token of a project goes nowhere because the file of its app was allowed`() async throws {
        let server = try await LoopbackFirebase(template: "{}", token: "hush-token")
        workplace.write(
            #"{"project_info": {"project_id": "shop", "project_number": "1"}, "client": [{"client_info": "#
                + #"{"mobilesdk_app_id": "1:1:android:1", "android_client_info": {"package_name": "a.b"}}, "#
                + #""api_key": [{"current_key": "key"}]}]}"#, to: "google-services.json")
        project(#"{"source": "firebase:shop", "url": "\#(server.url)", "appFile": "google-services.json"}"#)
        let token: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        let run = workplace.flagmenu("versions", environment: token)
        #expect(
            run.status == 2
                && run.words.contains("the token in the variable GOOGLE_OAUTH_ACCESS_TOKEN to \(server.url)"),
            "\(run.words)")
        #expect(server.server.requests.isEmpty)
    }

    /// A link in the store may lead to a file that is there, or to one that would be made.
    @Test(arguments: ["history.jsonl", "overrides.json", "overrides.lock"], [true, false])
    func `no link in a store of a project leads out of it without permission`(name: String, isThere: Bool) {
        let outside = "\(workplace.home)/outside"
        if isThere { workplace.write("mine", to: outside) }
        workplace.write(#"{"limit": "1"}"#, to: "remote.json")
        workplace.write(#"{"app": "shop", "source": "remote.json", "store": "s"}"#, to: "flagmenu.json")
        workplace.write("", to: "s/empty")
        #expect(symlink(outside, workplace.place("s/\(name)")) == 0)
        let run = workplace.flagmenu("set limit 2")
        #expect(run.status == 2 && run.words.contains("keep overrides in "), "\(run.words)")
        #expect(workplace.read(outside) == (isThere ? "mine" : nil))
    }

    @Test func `overrides are kept outside of the project only where the user has allowed it`() throws {
        workplace.write(#"{"limit": "1"}"#, to: "remote.json")
        workplace.write("mine", to: "\(workplace.home)/.profile")
        workplace.write(#"{"app": "shop", "source": "remote.json", "store": "s"}"#, to: "flagmenu.json")
        workplace.write("", to: "s/empty")
        #expect(symlink("\(workplace.home)/.profile", workplace.place("s/overrides.json")) == 0)
        let run = workplace.flagmenu("set limit 2")
        #expect(run.status == 2 && run.words.contains("keep overrides in "), "\(run.words)")
        #expect(workplace.read("\(workplace.home)/.profile") == "mine")
        workplace.write(
            #"{"app": "shop", "source": "remote.json", "store": "\#(workplace.home)/other"}"#, to: "flagmenu.json")
        #expect(workplace.flagmenu("set limit 2").status == 2)
        #expect(workplace.flagmenu("trust").text.contains("to keep overrides in "))
        #expect(workplace.flagmenu("set limit 2").status == 0)
        #expect(workplace.flagmenu("get limit").text == "2\n")
    }

    @Test func `on a terminal the user is asked once, and No sends nothing`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]
        project(#""ofrep:\#(server.url)""#)
        func get(_ answer: String) -> CommandRun {
            workplace.flagmenu(["get", "limit"], input: answer, environment: token, isOnTerminal: true)
        }
        let refused = get("n\n")
        #expect(refused.status == 2 && refused.text.contains("Allow it from now on? [y/N]"), "\(refused.text)")
        #expect(server.server.requests.isEmpty)
        let allowed = get("y\n")
        #expect(allowed.status == 0 && allowed.text.contains("42"), "\(allowed.text)")
        let again = get("")
        #expect(again.status == 0 && !again.text.contains("Allow"), "\(again.text)")
    }

    @Test func `what the list of allowed files cannot tell is not allowed`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")])
        let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]
        project(#""ofrep:\#(server.url)""#)
        let list = "\(workplace.home)/.config/flagmenu/trusted.json"
        for text in ["{", #"{"format": 2, "projects": {}}"#] {
            workplace.write(text, to: list)
            let run = workplace.flagmenu("get limit", environment: token)
            #expect(run.status == 2 && run.words.contains("Fix it or remove it."), "\(run.words)")
            #expect(workplace.flagmenu("trust").status == 2 && workplace.read(list) == text)
        }
        #expect(server.server.requests.isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
    func `a project file of another user is not read until it is trusted, and init works below it`() throws {
        project(#""remote.json""#)
        workplace.write(#"{"limit": 1}"#, to: "remote.json")
        #expect(chown(workplace.place("flagmenu.json"), 4_242, 4_242) == 0)
        for command in ["list", "set limit 2", "paths", "config"] {
            let run = workplace.flagmenu(command)
            #expect(
                run.status == 2 && run.words.contains("belongs to another user, uid 4242")
                    && run.words.contains("flagmenu trust "), "\(command): \(run.words)")
        }
        #expect(workplace.flagmenu("prompt").text == "")
        // Whoever became root by sudo is still the owner of their files.
        #expect(workplace.flagmenu("get limit", environment: ["SUDO_UID": "4242"]).text == "1\n")
        let below = workplace.shell(
            "mkdir below && cd below && flagmenu init --source ../remote.json --yes && flagmenu get limit")
        #expect(below.status == 0 && below.text.hasSuffix("1\n"), "\(below.text)\(below.words)")
        #expect(workplace.flagmenu("trust").text.contains("to belong to uid 4242"))
        #expect(workplace.flagmenu("get limit").text == "1\n")
        #expect(unlink(workplace.place("flagmenu.json")) == 0)
        // A link of another user to a file of one's own.
        workplace.write(#"{"app": "shop"}"#, to: "own.json")
        #expect(symlink("own.json", workplace.place("flagmenu.json")) == 0)
        #expect(lchown(workplace.place("flagmenu.json"), 4_343, 4_343) == 0)
        #expect(workplace.flagmenu("paths").words.contains("a link of another user"))
        let written = workplace.flagmenu("init --source remote.json --yes --replace")
        #expect(written.status == 2 && written.words.contains("another user"), "\(written.words)")
        #expect(workplace.read("own.json") == #"{"app": "shop"}"#)
    }

    @Test func `what init writes is allowed, as it was typed`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        let token: [String: String?] = ["OFREP_TOKEN": "hush-token"]
        let run = workplace.flagmenu("init --source ofrep:\(server.url) --yes", environment: token)
        #expect(run.status == 0, "\(run.words)")
        #expect(workplace.flagmenu("get limit", environment: token).text == "42\n")
    }

    @Test func `a credential file that others may read is told by doctor`() async throws {
        let server = try await LoopbackOFREP([.init("limit", "42")], token: "hush-token")
        workplace.write("hush-token", to: "token")
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)", "tokenFile": "token"}}"#)
        #expect(chmod(workplace.place("token"), 0o640) == 0)
        let open = workplace.flagmenu("doctor").text
        #expect(
            open.contains("the token in the file \(workplace.place("token")) can be read by other users")
                && open.contains("its mode is 640.") && open.contains("-> Run chmod 600 "), "\(open)")
        #expect(chmod(workplace.place("token"), 0o600) == 0)
        #expect(!workplace.flagmenu("doctor").text.contains("can be read by other"))
    }
}
