import FlagModel
import FlagRemote
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// The Remote Config of a Firebase project, through the program.
@Suite(.fewAtOnce) struct FirebaseServiceTests {
    private let workplace = Workplace()
    private static let template = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {"menu": {"defaultValue": {"value": "plain"}, "conditionalValues": {"ios": {"value": "round"}}}}}
        """
    private static let serverTemplate = """
        {"conditions": [{"name": "pro", "condition": {"customSignal": {"customSignalOperator": "STRING_CONTAINS",
              "customSignalKey": "plan", "targetCustomSignalValues": ["pro"]}}}],
         "parameters": {"menu": {"defaultValue": {"value": "plain"}, "conditionalValues": {"pro": {"value": "gold"}}}}}
        """

    private func project(_ server: LoopbackFirebase, _ members: String = "") { project(url: server.url, members) }

    private func project(url: String, _ members: String) {
        let more = members.isEmpty ? "" : ", \(members)"
        workplace.writeTrusted(
            #"{"app": "shop", "source": {"source": "firebase:shop", "url": "\#(url)"\#(more)}}"#)
    }

    @Test func `a token from the environment reads the template; conditions are switched by hand`() async throws {
        let server = try await LoopbackFirebase(template: Self.template, token: "hush-token")
        project(server)
        let environment: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        #expect(workplace.flagmenu("get menu", environment: environment).text == "plain\n")
        project(server, #""conditions": {"ios": true}"#)
        #expect(workplace.flagmenu("get menu").text == "round\n", "the kept template says what follows")
        #expect(server.server.requests.count == 1)
        server.publish(Self.template.replacing("round", with: "square"))
        #expect(workplace.flagmenu("fetch", environment: environment).status == 0)
        #expect(workplace.flagmenu("activate").status == 0)
        #expect(workplace.flagmenu("get menu").text == "square\n")
        project(server, #""version": 1, "conditions": {"ios": true}"#)
        #expect(workplace.flagmenu("get menu", environment: environment).text == "round\n")
        let refused = workplace.flagmenu("fetch", environment: ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"])
        #expect(refused.status == 5 && refused.words.contains("HTTP status 401"), "\(refused.words)")
        #expect(!refused.words.contains("hush"))
    }

    @Test func `a service account reads the template for servers, evaluated for a context, and shows nowhere`()
        async throws
    {
        let server = try await LoopbackFirebase(serverTemplate: Self.serverTemplate)
        workplace.write(server.serviceAccountFile(), to: "secrets/account.json")
        project(server, #""namespace": "server", "context": {"randomization_id": "ana", "plan": "pro plus"}"#)
        let environment: [String: String?] = ["GOOGLE_APPLICATION_CREDENTIALS": "secrets/account.json"]
        let run = workplace.flagmenu("get menu", environment: environment)
        #expect(run.text == "gold\n", "\(run.words)")
        project(server, #""namespace": "server", "serviceAccountFile": "secrets/account.json""#)
        #expect(workplace.flagmenu("get menu").text == "plain\n")
        #expect(workplace.flagmenu("fetch").status == 0)
        for line in [
            "status --json", "doctor", "doctor --json", "explain menu --json", "export", "config --json", "paths",
        ] {
            let run = workplace.flagmenu(line)
            let seen = run.text + run.words
            #expect(!seen.contains(server.secretOfServiceAccount) && !seen.contains("ya29"), "\(line)")
        }
        let found = workplace.shell(
            "grep -rl -e '\(server.secretOfServiceAccount)' -e ya29 '\(workplace.home)' || true")
        #expect(found.text.isEmpty, "kept on disk: \(found.text)")
    }

    @Test(arguments: ["google-services.json", "GoogleService-Info.plist"])
    func `an app's file is all that its values take`(file: String) async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round", "limit": "3"])
        workplace.write(file.hasSuffix("json") ? server.googleServicesFile : server.propertyList, to: "app/\(file)")
        project(url: server.url, #""appFile": "app/\#(file)", "context": {"country_code": "FR", "plan": "pro"}"#)
        let run = workplace.flagmenu("get menu")
        #expect(run.text == "round\n", "\(run.words)")
        #expect(server.server.requests.last?.json?["country_code"]?.text == "fr")
        server.set(["menu": "square"])
        #expect(workplace.flagmenu("fetch").status == 0)
        #expect(workplace.flagmenu("activate").status == 0)
        #expect(workplace.flagmenu("get menu").text == "square\n")
        for line in [
            "status --json", "doctor", "doctor --json", "explain menu --json", "export", "config --json", "paths",
        ] {
            let run = workplace.flagmenu(line)
            #expect(!(run.text + run.words).contains("hush"), "\(line)")
        }
        let found = workplace.shell("grep -rl -e AIza-hush '\(workplace.home)' || true")
        #expect(found.text.isEmpty, "kept on disk: \(found.text)")
        let registered = server.server.requests.count { $0.path.hasSuffix("/installations/") }
        #expect(registered == 1, "every run is the same installation")
        let kept = workplace.shell(
            "find '\(workplace.home)' -type f -exec grep -l -e hush {} + | xargs ls -l | cut -c1-10,30-")
        #expect(
            kept.text.hasPrefix("-rw-------") && kept.text.contains("/shop/installations/")
                && kept.text.split(separator: "\n").count == 1, "\(kept.text)")
    }

    @Test func `a prefix takes some of the parameters, of a template and of an app`() async throws {
        let apps = try await LoopbackFirebaseApps([:])
        let template = Self.template.replacing(
            #""parameters": {"#,
            with:
                #""parameters": {"shop_limit": {"defaultValue": {"value": "3"}}, "config_categories": {"defaultValue": {"#
                + #""value": "[{\"category\": \"Sizes\", \"items\": [{\"key\": \"shop_limit\", \"value\": \"3|4\"}]}]"}}, "#
        )
        let server = try await LoopbackFirebase(template: template, token: "hush-token", apps: apps)
        workplace.write(apps.googleServicesFile, to: "app.json")
        for members in [#""prefix": "shop_""#, #""prefix": "shop_", "appFile": "app.json""#] {
            project(server, members)
            let run = workplace.flagmenu("list --json", environment: ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"])
            #expect(
                run.text.contains("shop_limit") && run.text.contains(#""category": "Sizes""#), "\(run.text)\(run.words)"
            )
            #expect(!run.text.contains("menu"), "\(run.text)")
        }
    }

    @Test func `the fingerprint of an Android app's certificate is sent, and another text is refused`() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.googleServicesFile, to: "app.json")
        let fingerprint = String(repeating: "0a:", count: 19) + "0a"
        project(url: server.url, #""appFile": "app.json", "androidCert": "\#(fingerprint)""#)
        #expect(workplace.flagmenu("get menu").text == "round\n")
        let sent = server.server.requests.map { $0.headers["X-Android-Cert"] }
        #expect(Set(sent) == [String(repeating: "0A", count: 20)], "\(sent)")
        project(url: server.url, #""appFile": "app.json", "androidCert": "0a:0a""#)
        let refused = workplace.flagmenu("fetch")
        #expect(refused.status != 0 && refused.words.contains("SHA-1"), "\(refused.words)")
    }

    @Test func `an installation that cannot be kept is told of, and values come all the same`() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.googleServicesFile, to: "app.json")
        project(url: server.url, #""appFile": "app.json""#)
        workplace.write("", to: "\(workplace.home)/.local/state/flagmenu/shop/installations")
        let run = workplace.flagmenu("get menu")
        #expect(run.text == "round\n")
        let fetch = workplace.flagmenu("fetch")
        #expect(
            fetch.status == 0 && fetch.words.contains("so the next run uses a new one.")
                && !fetch.words.contains("hush"), "\(fetch.words)")
    }

    @Test(arguments: [
        (#""mode": "client""#, "appFile"), (#""appFile": "nowhere.json""#, "no such file"),
        (#""appFile": "app.json", "package": "x""#, "does not name the app"), (#""mode": "app""#, "one of template"),
        (#""appFile": "other.json""#, "belongs to the project"),
        (#""appFile": "app.json", "context": {"a": []}"#, "strings and numbers"),
        (#""appFile": "flagmenu.json""#, "google-services.json"),
    ])
    func `what is wrong with an app's file is told`(members: String, words: String) async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.googleServicesFile, to: "app.json")
        workplace.write(server.googleServicesFile.replacing("\"shop\"", with: "\"other\""), to: "other.json")
        project(url: server.url, members)
        let run = workplace.flagmenu("list")
        #expect(run.status != 0 && run.words.contains(words) && !run.words.contains("hush"), "\(run.words)")
        #expect(server.server.requests.isEmpty)
    }

    @Test(arguments: [
        ("", "set GOOGLE_APPLICATION_CREDENTIALS"), (#""serviceAccountFile": "nowhere.json""#, "no such file"),
        (#""namespace": "staging""#, "one of client, server"), (#""token": "hush""#, "tokenVariable"),
        (#""conditions": {"ios": "yes"}"#, "true or false"), (#""context": {"a": []}"#, "\"context\""),
    ])
    func `what is missing is named`(members: String, words: String) async throws {
        let server = try await LoopbackFirebase(template: Self.template)
        project(server, members)
        let run = workplace.flagmenu("list")
        #expect(run.status != 0 && run.words.contains(words) && !run.words.contains("hush"), "\(run.words)")
        #expect(server.server.requests.isEmpty)
    }
}
