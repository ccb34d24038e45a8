#if Network
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// Moving whole templates between projects and files.
@Suite(.limitedParallelism) struct PushCommandTests {
    private let workplace = Workplace()
    private static let token: [String: String?] = ["TEST_TOKEN": "hush-token", "LIVE_TOKEN": "hush-token"]
    private static let tested = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}], "unknown": [1.50],
         "parameters": {"menu": {"defaultValue": {"value": "round"}, "conditionalValues": {"ios": {"value": "flat"}}},
           "limit": {"defaultValue": {"value": "3"}, "valueType": "NUMBER"}}}
        """
    private static let live = """
        {"parameters": {"menu": {"defaultValue": {"value": "plain"}}, "old": {"defaultValue": {"value": "1"}}}}
        """

    private func servers() async throws -> (tested: LoopbackFirebase, live: LoopbackFirebase) {
        let tested = try await LoopbackFirebase(template: Self.tested, project: "shop-test", token: "hush-token")
        let live = try await LoopbackFirebase(template: Self.live, token: "hush-token")
        workplace.writeTrusted(
            """
            {"app": "shop", "sources": [
                {"source": "firebase:shop-test", "url": "\(tested.url)", "tokenVariable": "TEST_TOKEN"},
                {"source": "firebase:shop", "url": "\(live.url)", "tokenVariable": "LIVE_TOKEN"}]}
            """, environment: Self.token)
        return (tested, live)
    }

    private func run(_ line: String) -> CommandRun { workplace.flagmenu(line, environment: Self.token) }

    @Test func `a template moves from one project to another`() async throws {
        let (tested, live) = try await servers()
        #expect(run("firebase pull t.json --project shop-test").status == 0)
        #expect(run("firebase pull --project shop-test").text == workplace.read("t.json"))
        #expect(run("firebase pull t.json --project shop-test").errorText.contains("has these values already"))
        run("firebase push t.json --project shop --dry-run").expect(
            0, errors: "menu: plain -> round (default value)", "menu: not set -> flat (condition ios)",
            "limit: not set -> 3", "old: 1 -> not set", "condition ios: not set -> device.os == 'ios'",
            "Firebase would accept it.")
        #expect(live.versionNumber() == 1)
        run("firebase push t.json --project shop --yes --json").expect(0, text: #""version": 2"#)
        #expect(live.template()?.contains("1.50") == true && live.template()?.contains("\"old\"") == false)
        #expect(tested.versionNumber() == 1)
        #expect(run("firebase push t.json --project shop --yes").errorText.contains("has these values already"))
        let undone = run("firebase publish --rollback 1 --yes --source firebase:shop").expect(0)
        #expect(live.template()?.contains("\"old\"") == true, "\(undone.errorText)")
    }

    @Test func `pull shows what would change in a file, and asks`() async throws {
        let (_, live) = try await servers()
        let mine = Self.live.replacing("plain", with: "mine")
        workplace.write(mine, to: "t.json")
        run("firebase pull t.json --project shop").expect(2, errors: "menu: mine -> plain (default value)")
        #expect(run("firebase pull t.json --project shop --dry-run").status == 0)
        #expect(workplace.read("t.json") == mine)
        #expect(run("firebase pull t.json --project shop --yes").status == 0)
        #expect(workplace.read("t.json")?.contains("plain") == true)
        workplace.write("{\"a\": 1}", to: "other.json")
        #expect(run("firebase pull other.json --project shop --yes").status == 2, "this file is not a template")
        #expect(workplace.read("other.json") == "{\"a\": 1}" && live.versionNumber() == 1)
    }

    @Test(arguments: [
        ("values.json", #"{"menu": "x"}"#, 2), ("empty.json", "{}", 2), ("no.json", #"{"parameters": {}}"#, 2),
        (
            "bare.json",
            #"{"menu": {"defaultValue": {"value": "1"}}, "b": {"defaultValue": {"useInAppDefault": true}}}"#, 2
        ),
        ("cut.json", #"{"parameters": {"#, 2), ("nosuch.json", nil, 2),
    ])
    func `only a template with parameters is pushed`(name: String, text: String?, status: Int32) async throws {
        let (_, live) = try await servers()
        if let text { workplace.write(text, to: name) }
        run("firebase push \(name) --project shop --yes").expect(status, errors: "Nothing was changed.", name)
        #expect(live.versionNumber() == 1)
    }

    @Test func `a push needs a yes and permission, and never overwrites a newer version`() async throws {
        let (_, live) = try await servers()
        workplace.write(Self.tested, to: "t.json")
        #expect(run("firebase push t.json --project shop").status == 2)
        #expect(run("firebase push t.json --project shop --yes --read-only").status == 4)
        #expect(run("firebase push t.json --yes").errorText.contains("Several sources are Firebase projects"))
        live.respondToPublish {
            live.publish(Self.live.replacing("plain", with: "theirs"))
            return nil
        }
        run("firebase push t.json --project shop --yes").expect(5, errors: "in the meantime")
        #expect(live.template()?.contains("theirs") == true)
    }
}
#endif
