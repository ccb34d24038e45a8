import FlagModel
import Foundation
import TestSupport
import Testing

#if Network
import FlagTesting
import VendorServers
#endif

/// The evaluation context, changed by the `context` command and used by all others.
@Suite(.limitedParallelism) struct ContextCommandTests {
    private let workplace = Workplace()

    /// A server template with conditions for the country and the OS.
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
    /// A client template. Only Firebase's servers evaluate its conditions.
    static let client = #"""
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'", "tagColor": "ORANGE"}],
         "parameters": {"menu": {"defaultValue": {"value": "old"}, "conditionalValues": {"ios": {"value": "new"}}}}}
        """#

    private func project(_ template: String, _ members: String = "") {
        workplace.write(template, to: "shop.template.json")
        workplace.writeSource("shop.template.json", members)
    }

    private func value(_ key: String = "menu") -> String { workplace.flagmenu("get \(key)").text }

    @Test func `a template in a file is evaluated for the tester's context`() {
        project(Self.server)
        #expect(value() == "standard\n")
        workplace.flagmenu("context country=FR os=18").expect(
            0, exactly: "", errors: "menu: standard -> carte", "2 remote values changed.")
        #expect(value() == "carte\n")
        #expect(value("banner") == "true\n")
        #expect(workplace.flagmenu("context --unset country").errorText.contains("menu: carte -> modern"))
        #expect(workplace.flagmenu("status").text.contains("changed    1 attribute\n"))
        #expect(workplace.flagmenu("context --reset").errorText.contains("menu: modern -> standard"))
        #expect(workplace.flagmenu("status").text.contains("changed    nothing\n"))
    }

    @Test func `the tester's context overrides the project's context`() {
        project(Self.server, #""context": {"country": "FR", "os": 17}, "conditions": {"new os": true}"#)
        #expect(value() == "carte\n" && value("banner") == "true\n")
        workplace.flagmenu("status").expect(
            text: "changed    nothing\n", comment: "the project's context is not a change by the tester")
        #expect(workplace.flagmenu("context country=DE").errorText.contains("menu: carte -> modern"))
        workplace.flagmenu(["context", "--condition", "new os=auto"]).expect(errors: "menu: modern -> standard")
        #expect(workplace.flagmenu("context --unset os").status == 0)
        workplace.flagmenu("context").expect(text: "country  DE   yours", "os       left out   yours")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(value() == "carte\n")
    }

    /// An attribute, a condition and two overrides, one of them invalid, and a launch value, which is not counted.
    @Test func `every surface knows the same changes`() {
        project(Self.server)
        #expect(workplace.flagmenu("context country=FR").status == 0)
        #expect(workplace.flagmenu(["context", "--condition", "new os=on"]).status == 0)
        #expect(workplace.flagmenu("set menu fancy").status == 0)
        #expect(workplace.flagmenu("set banner maybe --any").status == 0)
        func expectChanges(_ step: String) {
            #expect(workplace.flagmenu("prompt").text == "4 changes\n", "\(step)")
            workplace.flagmenu("status").expect(
                text: "changed    2 overrides, 1 condition, 1 attribute\n", comment: step)
            workplace.flagmenu("--accessible --launch menu=now", input: "m\nq\n").expect(
                text: "4 changed.", "Condition new os: on", "Attribute country: FR", "menu: now, from launch",
                "banner: true, override invalid", "4 changes are active for shop", comment: step)
        }
        expectChanges("at first")
        let reset = workplace.flagmenu("reset --all --yes").expect(0)
        #expect(reset.errorText.split(separator: "\n").count == 4, "\(reset.errorText)")
        #expect(workplace.flagmenu("prompt").text.isEmpty)
        #expect(workplace.flagmenu("undo").status == 0)
        expectChanges("after undo")
    }

    @Test func `--restore returns one member to the project's value`() {
        project(Self.server, #""context": {"country": "FR", "os": 17}"#)
        #expect(workplace.flagmenu("context country=DE os=18 plan=gold").errorText.contains("menu: carte -> modern"))
        workplace.flagmenu("context --restore country").expect(0, errors: "menu: modern -> carte")
        workplace.flagmenu("context").expect(text: "country  FR\n", "os       18   yours")
        #expect(workplace.flagmenu("context --unset os").status == 0)
        #expect(workplace.flagmenu("context --restore os --restore plan").status == 0)
        workplace.flagmenu("context").expect(text: "os       17\n", without: "plan", "yours")
        workplace.flagmenu("context --restore os").expect(1, errors: "You have not changed the member")
    }

    @Test func `the conditions of a client template are listed and can be forced`() {
        project(Self.client)
        workplace.flagmenu("context").expect(text: "ios  unknown, so off   1 flag    device.os == 'ios'")
        #expect(workplace.flagmenu("context --condition ios=on").errorText.contains("menu: old -> new"))
        #expect(workplace.flagmenu("explain menu").text.contains("> ios  decides: on, by hand"))
        #expect(workplace.flagmenu("context --condition ios=auto").errorText.contains("menu: new -> old"))
    }

    @Test func `a condition reaches another clone, and no path of this machine does`() throws {
        let (name, other) = ("config/shop.template.json", Workplace())
        for place in [workplace, other] {
            place.write(Self.client, to: name)
            place.writeSource(name)
        }
        #expect(workplace.flagmenu("context --condition ios=on").status == 0)
        let shared = workplace.flagmenu("share").expect(0, errors: "  \(name): condition \"ios\" is on").text
        let exported = workplace.flagmenu("export").text
        #expect(workplace.flagmenu("scenario save one").status == 0)
        let scenario = try #require(workplace.read("scenarios/one.json"))
        #expect(!(exported + scenario).contains(workplace.path) && scenario.contains("\"\(name)\": {"))
        // As an earlier version wrote it.
        let old = exported.replacing("\"\(name)\": {", with: "\"/home/ana/shop/\(name)\": {")
        for text in [shared, exported, old] {
            other.flagmenu("import -", input: text).expect(0)
            #expect(other.flagmenu("get menu").text == "new\n", "\(text)")
            #expect(other.flagmenu("reset --all --yes").status == 0)
        }
        other.write(scenario, to: "scenarios/one.json")
        other.flagmenu("scenario apply one --replace").expect(0, errors: "Applied one. Adds 1.")
        #expect(other.flagmenu("get menu").text == "new\n")
        other.flagmenu("scenario diff one --exit-code").expect(0)
        other.flagmenu("scenario list").expect(text: "applied\n", without: "left out", "since")
        other.write(old, to: "old.json")
        #expect(other.flagmenu(["import", other.place("old.json"), "--save-scenario", "two"]).status == 0)
        let saved = try #require(other.read("scenarios/two.json"))
        #expect(saved.contains("\"\(name)\": {") && !saved.contains("/home/ana") && !saved.contains(other.path))
    }

    @Test func `a context of a source that is not open is an error of an import, and left out of a scenario`() {
        project(Self.client)
        let contexts = #"{"/home/ana/other.json": {"conditions": {"ios": true}}}"#
        workplace.write(
            #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {"menu": "a"}, "contexts": \#(contexts)}"#,
            to: "scenarios/one.json")
        let file = "scenarios/one.json"
        workplace.flagmenu("import \(file)").expect(
            1, errors: #""other.json": No source of this name"#, "1 of 2 entries cannot be imported.",
            "--skip-invalid imports the rest", without: "/home/ana")
        #expect(value() == "old\n")
        workplace.flagmenu("import \(file) --skip-invalid").expect(
            0, errors: "other.json is left out. No source of this name", "1 override changed.")
        #expect(workplace.flagmenu("reset menu").status == 0)
        workplace.flagmenu("scenario apply one --add").expect(0, errors: "other.json is left out.", "Adds 1.")
        workplace.write(
            #"{"exportedAt": "2026-11-29T10:00:00Z", "overrides": {}, "contexts": \#(contexts)}"#, to: file)
        workplace.flagmenu("import \(file) --skip-invalid").expect(1, errors: "Nothing was changed.")
        workplace.flagmenu("scenario apply one --replace").expect(3, errors: "Nothing of one can be applied here.")
    }

    @Test func `a forced condition that no longer exists is listed and can be reset`() {
        project(Self.client)
        #expect(workplace.flagmenu("context --condition ios=on").status == 0)
        project(#"{"conditions": [], "parameters": {"menu": {"defaultValue": {"value": "old"}}}}"#)
        workplace.flagmenu("context").expect(text: "ios", "on, by hand", "no longer has this")
        #expect(workplace.flagmenu("context --condition ios=auto").status == 0)
        #expect(!workplace.flagmenu("context").text.contains("ios"))
        project(Self.client)
        #expect(value() == "old\n")
    }

    #if Network
    @Test func `a context that the service cannot use is rejected before it is saved`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        workplace.writeTrusted(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#)
        #expect(workplace.flagmenu("get max-items").text == "42\n")
        workplace.flagmenu("context targetingKey=[1]").expect(2, errors: "Nothing was changed.")
        #expect(workplace.flagmenu("get max-items").text == "42\n")
        await server.server.refuse()
        #expect(workplace.flagmenu("context country=FR").status == 0)
        workplace.flagmenu("get max-items").expect(5, errors: "flagmenu context --reset")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(workplace.flagmenu("get max-items").text == "42\n")
    }
    #endif

    @Test func `explain shows which condition decides and why`() {
        project(Self.server, #""context": {"country": "DE", "os": 18}"#)
        workplace.flagmenu("explain menu").expect(
            text: "condition new os", #"  french  does not apply: country is "DE", wanted "FR""#,
            #"> new os  decides: os is 18, wanted >= "18""#)
        workplace.flagmenu("explain menu --json").expect(text: #""part": "passedOver""#, #""part": "decides""#)
        #expect(workplace.flagmenu("context country=FR os=1").status == 0)
        workplace.flagmenu("explain banner").expect(text: "not set   the default value leaves it to the app")
    }

    @Test func `--json says which members are those of the tester`() throws {
        project(Self.server, #""context": {"os": 17}"#)
        #expect(workplace.flagmenu("context country=FR").status == 0)
        let root = try JSONDocument(parsing: Array(workplace.flagmenu("context --json").text.utf8)).root
        let source = try #require(root["sources"].flatMap { Array($0.elements).first })
        #expect(source["context"]?.elements.map { $0["name"]?.text?.string } == ["os", "country"])
        #expect(source["context"]?.elements.map { $0["value"]?.source } == ["17", #""FR""#])
        #expect(source["context"]?.elements.map { $0["own"]?.bool } == [false, true])
    }

    @Test(arguments: [
        ("context country", 2, "is not NAME=VALUE"), ("context =FR", 2, "is not NAME=VALUE"),
        ("context --unset nosuch", 1, "has no member"), ("context --restore nosuch", 1, "has no member"),
        ("context --condition frnch=on", 1, #"Did you mean "french"?"#),
        ("context --condition french=maybe", 2, "NAME=auto"), ("context x=1 --read-only", 4, "Read-only"),
    ])
    func `an invalid argument is an error and changes nothing`(line: String, status: Int32, words: String) {
        project(Self.server)
        workplace.flagmenu(line).expect(status, errors: words)
        #expect(workplace.flagmenu("context --json").text.contains(#""context": []"#))
    }

    @Test func `a source of plain values has no context`() {
        workplace.write(#"{"a": 1}"#, to: "values.json")
        workplace.flagmenu("context a=b --source values.json").expect(2, errors: "No source here uses a context")
        #expect(workplace.flagmenu("context --source values.json").status == 0)
    }

    @Test func `if several sources have a context, --source is required`() {
        workplace.write(Self.server, to: "one.json")
        workplace.write(Self.client, to: "two.json")
        workplace.writeTrusted(#"{"app": "shop", "source": ["one.json", "two.json"]}"#)
        workplace.flagmenu("context country=FR").expect(2, errors: "name one with --source")
        #expect(workplace.flagmenu("context country=FR --source one.json").status == 0)
        #expect(value() == "carte\n")
    }

    #if Network
    /// A project with a client template and a server template.
    private func templates() async throws -> LoopbackFirebase {
        try await LoopbackFirebase(
            template: Self.client, serverTemplate: Self.server.replacing("menu", with: "drinks"), token: "hush-token")
    }

    private func run(_ arguments: String...) -> CommandRun {
        workplace.flagmenu(arguments, environment: ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"])
    }

    @Test func `two templates of one project have separate names and contexts`() async throws {
        let firebase = try await templates()
        func entry(_ members: String) -> String {
            #"{"source": "firebase:shop", "url": "\#(firebase.url)"\#(members)}"#
        }
        let members = #", "namespace": "server""#
        workplace.writeTrusted(
            #"{"app": "shop", "sources": [\#(entry(members)), \#(entry(""))]}"#)
        #expect(run("get", "drinks").text == "standard\n" && run("get", "menu").text == "old\n")
        run("context", "country=FR").expect(2, errors: "--source: 'firebase:shop (server)', firebase:shop.")
        #expect(run("context", "country=FR", "--source", "firebase:shop (server)").status == 0)
        #expect(run("get", "drinks").text == "carte\n" && run("get", "menu").text == "old\n")
        #expect(run("context", "--condition", "ios=on", "--source", "firebase:shop").status == 0)
        #expect(run("get", "drinks").text == "carte\n" && run("get", "menu").text == "new\n")
        let shown = run("context").text.split(separator: "\n").filter { $0.hasPrefix("firebase:") }
        #expect(shown == ["firebase:shop (server)", "firebase:shop"])
        workplace.flagmenu("doctor", environment: ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"]).expect(
            text: "firebase:shop (server): ", "firebase:shop: ", without: "hush")
    }

    @Test func `a template keeps its name and context when sources are added or removed`() async throws {
        let firebase = try await templates()
        func project(_ entries: String...) {
            let listed = entries.map { #"{"source": "firebase:shop", "url": "\#(firebase.url)"\#($0)}"# }
            workplace.writeSources(listed)
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
    #endif

    @Test func `sources with the same file name are numbered, and each has its own context`() {
        workplace.write(Self.client, to: "shop.json")
        workplace.writeTrusted(
            #"{"app": "shop", "sources": ["shop.json", {"source": "shop.json", "conditions": {}}]}"#)
        workplace.flagmenu("context --condition ios=on").expect(errors: "shop.json, '", "shop.json (2)'")
        workplace.flagmenu(["context", "--condition", "ios=on", "--source", "shop.json (2)"]).expect(0)
        #expect(value() == "old\n", "the first source wins")
        #expect(workplace.flagmenu("context --condition ios=on --source shop.json").status == 0)
        #expect(value() == "new\n")
    }

    #if Network
    @Test func `a service is requested with the tester's context, and each context has its own cache`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        workplace.writeSource("ofrep:\(server.url)", #""context": {"targetingKey": "ana"}"#)
        // Without cached values the command cannot know which values change.
        workplace.flagmenu("context plan=gold").expect(0, errors: "are fetched when next needed")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(value("max-items") == "42\n")
        workplace.flagmenu("context targetingKey=12 plan=gold").expect(0, errors: "are fetched when next needed")
        await server.set([.init("max-items", "7")])
        #expect(value("max-items") == "7\n")
        let requested = server.server.requests.last?.json?["context"]
        #expect(requested?["targetingKey"]?.text == "12" && requested?["plan"]?.text == "gold")
        #expect(workplace.flagmenu("context --reset").status == 0)
        #expect(value("max-items") == "42\n", "the project's context still has its cached value")
    }
    #endif
}
