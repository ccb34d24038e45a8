import FlagModel
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// For whom flags are evaluated, decided by a command and seen by all others.
@Suite(.fewAtOnce) struct ContextCommandTests {
    private let workplace = Workplace()

    /// A template for servers: a menu for France, and something for half of all.
    static let server = #"""
        {"conditions": [
            {"name": "french", "condition": {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES",
              "customSignalKey": "country", "targetCustomSignalValues": ["FR"]}}},
            {"name": "new os", "condition": {"customSignal": {"customSignalOperator": "NUMERIC_GREATER_EQUAL",
              "customSignalKey": "os", "targetCustomSignalValues": ["18"]}}}],
         "parameters": {
            "menu": {"defaultValue": {"value": "standard"}, "valueType": "STRING", "conditionalValues": {
              "french": {"value": "carte"}, "new os": {"value": "modern"}}},
            "banner": {"defaultValue": {"useInAppDefault": true}, "valueType": "BOOLEAN", "conditionalValues": {
              "new os": {"value": "true"}}}}}
        """#
    /// The same for apps, where only Firebase's servers evaluate conditions.
    static let client = #"""
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'", "tagColor": "ORANGE"}],
         "parameters": {"menu": {"defaultValue": {"value": "old"}, "conditionalValues": {"ios": {"value": "new"}}}}}
        """#

    private func project(_ template: String, _ members: String = "") {
        workplace.write(template, to: "shop.template.json")
        let more = members.isEmpty ? "" : ", \(members)"
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "shop.template.json"\#(more)}}"#)
    }

    private func value(_ key: String = "menu") -> String { workplace.flagmenu("get \(key)").text }

    @Test func `a template in a file is evaluated for the context of the tester`() {
        project(Self.server)
        #expect(value() == "standard\n")
        let run = workplace.flagmenu("context country=FR os=18")
        #expect(run.status == 0 && run.text.isEmpty)
        #expect(run.words.contains("menu: standard -> carte"), "\(run.words)")
        #expect(run.words.contains("2 remote values changed."), "\(run.words)")
        #expect(value() == "carte\n")
        #expect(value("banner") == "true\n")
        #expect(workplace.flagmenu("context --unset country").words.contains("menu: carte -> modern"))
        #expect(workplace.flagmenu("status").text.contains("context    yours for"))
        #expect(workplace.flagmenu("context --reset").words.contains("menu: modern -> standard"))
        #expect(!workplace.flagmenu("status").text.contains("context"))
    }

    @Test func `what the tester says lies over what the project says`() {
        project(Self.server, #""context": {"country": "FR", "os": 17}, "conditions": {"new os": true}"#)
        #expect(value() == "carte\n" && value("banner") == "true\n")
        #expect(!workplace.flagmenu("status").text.contains("context"), "the project's is not the tester's")
        #expect(workplace.flagmenu("context country=DE").words.contains("menu: carte -> modern"))
        #expect(
            workplace.flagmenu(["context", "--condition", "new os=auto"]).words.contains("menu: modern -> standard"))
        #expect(workplace.flagmenu("context --unset os").status == 0)
        let text = workplace.flagmenu("context").text
        #expect(text.contains("country  DE   yours") && text.contains("os       left out   yours"), "\(text)")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(value() == "carte\n")
    }

    @Test func `one member alone goes back to what the project says`() {
        project(Self.server, #""context": {"country": "FR", "os": 17}"#)
        #expect(workplace.flagmenu("context country=DE os=18 plan=gold").words.contains("menu: carte -> modern"))
        let run = workplace.flagmenu("context --restore country")
        #expect(run.status == 0 && run.words.contains("menu: modern -> carte"), "\(run.words)")
        let text = workplace.flagmenu("context").text
        #expect(text.contains("country  FR\n") && text.contains("os       18   yours"), "\(text)")
        #expect(workplace.flagmenu("context --unset os").status == 0)
        #expect(workplace.flagmenu("context --restore os --restore plan").status == 0)
        let restored = workplace.flagmenu("context").text
        #expect(restored.contains("os       17\n") && !restored.contains("plan") && !restored.contains("yours"))
        let again = workplace.flagmenu("context --restore os")
        #expect(again.status == 1 && again.words.contains("You have not changed the member"), "\(again.words)")
    }

    @Test func `the conditions of apps are shown, and hold by hand`() {
        project(Self.client)
        let text = workplace.flagmenu("context").text
        #expect(text.contains("ios  unknown, so off   1 flag    device.os == 'ios'"), "\(text)")
        #expect(workplace.flagmenu("context --condition ios=on").words.contains("menu: old -> new"))
        #expect(workplace.flagmenu("explain menu").text.contains("> ios  decides: on, by hand"))
        #expect(workplace.flagmenu("context --condition ios=auto").words.contains("menu: new -> old"))
        let refused = workplace.flagmenu("context country=FR")
        #expect(refused.status == 2 && refused.words.contains("does not use a context"), "\(refused.words)")
    }

    @Test func `a decision about a condition that is gone is shown, and can be taken back`() {
        project(Self.client)
        #expect(workplace.flagmenu("context --condition ios=on").status == 0)
        project(#"{"conditions": [], "parameters": {"menu": {"defaultValue": {"value": "old"}}}}"#)
        let shown = workplace.flagmenu("context").text
        #expect(shown.contains("ios") && shown.contains("on, by hand") && shown.contains("no longer has this"))
        #expect(workplace.flagmenu("context --condition ios=auto").status == 0)
        #expect(!workplace.flagmenu("context").text.contains("ios"))
        project(Self.client)
        #expect(value() == "old\n")
    }

    @Test func `a context that a service does not take is refused before anything is written`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        workplace.writeTrusted(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#)
        #expect(workplace.flagmenu("get max-items").text == "42\n")
        let run = workplace.flagmenu("context targetingKey=[1]")
        #expect(run.status == 2 && run.words.contains("Nothing was changed."), "\(run.words)")
        #expect(workplace.flagmenu("get max-items").text == "42\n")
        await server.server.refuse()
        #expect(workplace.flagmenu("context country=FR").status == 0)
        let lost = workplace.flagmenu("get max-items")
        #expect(lost.status == 5 && lost.words.contains("flagmenu context --reset"), "\(lost.words)")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(workplace.flagmenu("get max-items").text == "42\n")
    }

    @Test func `each flag tells which condition decides and why`() {
        project(Self.server, #""context": {"country": "DE", "os": 18}"#)
        let text = workplace.flagmenu("explain menu").text
        #expect(text.contains("condition new os"), "\(text)")
        #expect(text.contains(#"  french  does not apply: country is "DE", wanted "FR""#), "\(text)")
        #expect(text.contains(#"> new os  decides: os is 18, wanted >= "18""#), "\(text)")
        let json = workplace.flagmenu("explain menu --json").text
        #expect(json.contains(#""part": "passedOver""#) && json.contains(#""part": "decides""#), "\(json)")
        #expect(workplace.flagmenu("context country=FR os=1").status == 0)
        let left = workplace.flagmenu("explain banner").text
        #expect(left.contains("not set   the default value leaves it to the app"), "\(left)")
    }

    @Test func `the listing as JSON has members with their kinds`() throws {
        project(Self.server, #""context": {"os": 17}"#)
        #expect(workplace.flagmenu("context country=FR").status == 0)
        let root = try JSONDocument(parsing: Array(workplace.flagmenu("context --json").text.utf8)).root
        let source = try #require(root["sources"].flatMap { Array($0.elements).first })
        #expect(source["context"]?.elements.map { $0["name"]?.text?.string } == ["os", "country"])
        #expect(source["context"]?.elements.map { $0["value"]?.source } == ["17", #""FR""#])
        #expect(source["context"]?.elements.map { $0["own"]?.bool } == [false, true])
        #expect(source["conditions"]?.elements.map { $0["verdict"]?.text?.string } == ["holds", "doesNotHold"])
        #expect(source["conditions"]?.elements.map { $0["flags"]?.source } == ["1", "2"])
        let changed = try JSONDocument(
            parsing: Array(workplace.flagmenu(["context", "--condition", "french=off", "--json"]).text.utf8)
        ).root
        #expect(changed["changes"]?.elements.map { $0["key"]?.text?.string } == ["menu"])
    }

    @Test(arguments: [
        ("context country", 2, "is not NAME=VALUE"), ("context =FR", 2, "is not NAME=VALUE"),
        ("context --unset nosuch", 1, "has no member"), ("context --restore nosuch", 1, "has no member"),
        ("context --condition frnch=on", 1, #"Did you mean "french"?"#),
        ("context --condition french=maybe", 2, "NAME=auto"), ("context x=1 --read-only", 4, "Read-only"),
    ])
    func `what cannot be done is a sentence, and nothing is changed`(line: String, status: Int32, words: String) {
        project(Self.server)
        let run = workplace.flagmenu(line)
        #expect(run.status == status && run.words.contains(words), "\(run.status): \(run.words)")
        #expect(workplace.flagmenu("context --json").text.contains(#""context": []"#))
    }

    @Test func `values alone have no context`() {
        workplace.write(#"{"a": 1}"#, to: "values.json")
        let run = workplace.flagmenu("context a=b --source values.json")
        #expect(run.status == 2 && run.words.contains("No source here uses a context"), "\(run.words)")
        #expect(workplace.flagmenu("context --source values.json").status == 0)
    }

    @Test func `of several sources one has to be named`() {
        workplace.write(Self.server, to: "one.json")
        workplace.write(Self.client, to: "two.json")
        workplace.writeTrusted(#"{"app": "shop", "source": ["one.json", "two.json"]}"#)
        let run = workplace.flagmenu("context country=FR")
        #expect(run.status == 2 && run.words.contains("name one with --source"), "\(run.words)")
        #expect(workplace.flagmenu("context country=FR --source one.json").status == 0)
        #expect(value() == "carte\n")
    }

    @Test func `two templates of one project have names and contexts of their own`() async throws {
        let firebase = try await LoopbackFirebase(
            template: Self.client, serverTemplate: Self.server.replacing("menu", with: "drinks"), token: "hush-token")
        let environment: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        func entry(_ members: String) -> String {
            #"{"source": "firebase:shop", "url": "\#(firebase.url)"\#(members)}"#
        }
        let members = #", "namespace": "server""#
        workplace.writeTrusted(
            #"{"app": "shop", "sources": [\#(entry(members)), \#(entry(""))]}"#)
        func run(_ arguments: String...) -> CommandRun { workplace.flagmenu(arguments, environment: environment) }
        #expect(run("get", "drinks").text == "standard\n" && run("get", "menu").text == "old\n")
        let unnamed = run("context", "country=FR")
        #expect(
            unnamed.status == 2 && unnamed.words.contains("--source: 'firebase:shop (server)', firebase:shop."),
            "\(unnamed.words)")
        #expect(run("context", "country=FR", "--source", "firebase:shop (server)").status == 0)
        #expect(run("get", "drinks").text == "carte\n" && run("get", "menu").text == "old\n")
        #expect(run("context", "--condition", "ios=on", "--source", "firebase:shop").status == 0)
        #expect(run("get", "drinks").text == "carte\n" && run("get", "menu").text == "new\n")
        let shown = run("context").text.split(separator: "\n").filter { $0.hasPrefix("firebase:") }
        #expect(shown == ["firebase:shop (server)", "firebase:shop"])
        let failed = workplace.flagmenu("doctor", environment: ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"]).text
        #expect(failed.contains("firebase:shop (server): ") && failed.contains("firebase:shop: "), "\(failed)")
        #expect(!failed.contains("hush"))
    }

    @Test func `a template keeps its name and what was decided, whatever else is listed later`() async throws {
        let firebase = try await LoopbackFirebase(
            template: Self.client, serverTemplate: Self.server.replacing("menu", with: "drinks"), token: "hush-token")
        let environment: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        func run(_ arguments: String...) -> CommandRun { workplace.flagmenu(arguments, environment: environment) }
        func project(_ entries: String...) {
            let listed = entries.map { #"{"source": "firebase:shop", "url": "\#(firebase.url)"\#($0)}"# }
            workplace.writeTrusted(#"{"app": "shop", "sources": [\#(listed.joined(separator: ", "))]}"#)
        }
        let (server, client) = (#", "namespace": "server""#, "")
        project(server)
        #expect(run("context", "country=FR").status == 0)
        #expect(run("context").text.hasPrefix("firebase:shop (server)\n"))
        #expect(run("context", "--source", "firebase:shop").text.hasPrefix("firebase:shop (server)\n"))
        project(server, client)
        #expect(run("get", "drinks").text == "carte\n" && run("get", "menu").text == "old\n")
        #expect(run("context", "--condition", "ios=on", "--source", "firebase:shop").status == 0)
        project(client)
        #expect(run("get", "menu").text == "new\n")
    }

    /// Names were shorter where no other source had the same.
    @Test func `what was decided under the shorter name counts until another source has that`() async throws {
        let firebase = try await LoopbackFirebase(serverTemplate: Self.server, token: "hush-token")
        let environment: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        func run(_ arguments: String...) -> CommandRun { workplace.flagmenu(arguments, environment: environment) }
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "firebase:shop", "url": "\#(firebase.url)", "namespace": "server"}}"#
        )
        let contexts = "\(workplace.home)/.local/state/flagmenu/shop/contexts.json"
        let former = #"{"format": 1, "sources": {"firebase:shop": {"context": {"country": "FR"}}}}"#
        workplace.write(former, to: contexts)
        #expect(run("get", "menu").text == "carte\n")
        #expect(run("context", "os=18").status == 0)
        let written = try #require(workplace.read(contexts))
        #expect(written.contains(#""firebase:shop (server)""#) && !written.contains(#""firebase:shop""#), "\(written)")
        #expect(run("get", "menu").text == "carte\n")
        workplace.write(former, to: contexts)
        #expect(run("context", "--reset").status == 0)
        #expect(run("get", "menu").text == "standard\n", "taken back under either name")
    }

    @Test func `files of one name are numbered, and a context stays with its own`() {
        workplace.write(Self.client, to: "shop.json")
        workplace.writeTrusted(
            #"{"app": "shop", "sources": ["shop.json", {"source": "shop.json", "conditions": {}}]}"#)
        let unnamed = workplace.flagmenu("context --condition ios=on")
        #expect(unnamed.words.contains("shop.json, '") && unnamed.words.contains("shop.json (2)'"), "\(unnamed.words)")
        let run = workplace.flagmenu(["context", "--condition", "ios=on", "--source", "shop.json (2)"])
        #expect(run.status == 0, "\(run.words)")
        #expect(value() == "old\n", "the first wins")
        #expect(workplace.flagmenu("context --condition ios=on --source shop.json").status == 0)
        #expect(value() == "new\n")
    }

    @Test func `a service is asked for the tester's context, and each context has values of its own`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "ofrep:\#(server.url)", "context": {"targetingKey": "ana"}}}"#)
        // Where nothing is known yet, nothing is known to be the same.
        let early = workplace.flagmenu("context plan=gold")
        #expect(early.status == 0 && early.words.contains("are fetched when next needed"), "\(early.words)")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(value("max-items") == "42\n")
        let run = workplace.flagmenu("context targetingKey=12 plan=gold")
        #expect(run.status == 0 && run.words.contains("are fetched when next needed"), "\(run.words)")
        await server.set([.init("max-items", "7")])
        #expect(value("max-items") == "7\n")
        let asked = server.server.requests.last?.json?["context"]
        #expect(asked?["targetingKey"]?.text == "12" && asked?["plan"]?.text == "gold")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(value("max-items") == "42\n", "what was kept for the other context")
    }
}
