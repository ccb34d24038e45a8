#if Network
import FlagModel
import FlagRemote
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// The Remote Config of a Firebase project, read by the built program.
@Suite(.limitedParallelism) struct FirebaseServiceTests {
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
        workplace.writeSource("firebase:shop", #""url": "\#(url)""# + (members.isEmpty ? "" : ", \(members)"))
    }

    @Test func `a token from the environment reads the template, and the project file sets conditions`() async throws {
        let server = try await LoopbackFirebase(template: Self.template, token: "hush-token")
        project(server)
        let environment: [String: String?] = ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-token"]
        #expect(workplace.flagmenu("get menu", environment: environment).text == "plain\n")
        project(server, #""conditions": {"ios": true}"#)
        workplace.flagmenu("get menu").expect(
            exactly: "round\n", comment: "the cached template is evaluated with the new conditions")
        #expect(server.server.requests.count == 1)
        server.publish(Self.template.replacing("round", with: "square"))
        #expect(workplace.flagmenu("fetch", environment: environment).status == 0)
        #expect(workplace.flagmenu("activate").status == 0)
        #expect(workplace.flagmenu("get menu").text == "square\n")
        project(server, #""version": 1, "conditions": {"ios": true}"#)
        #expect(workplace.flagmenu("get menu", environment: environment).text == "round\n")
        workplace.flagmenu("fetch", environment: ["GOOGLE_OAUTH_ACCESS_TOKEN": "hush-wrong"]).expect(
            5, errors: "HTTP status 401", without: "hush")
    }

    @Test func `a service account reads the server template for a context and is never shown`() async throws {
        let server = try await LoopbackFirebase(serverTemplate: Self.serverTemplate)
        workplace.write(server.serviceAccountFile(), to: "secrets/account.json")
        project(server, #""namespace": "server", "context": {"randomization_id": "ana", "plan": "pro plus"}"#)
        let environment: [String: String?] = ["GOOGLE_APPLICATION_CREDENTIALS": "secrets/account.json"]
        workplace.flagmenu("get menu", environment: environment).expect(exactly: "gold\n")
        project(server, #""namespace": "server", "serviceAccountFile": "secrets/account.json""#)
        #expect(workplace.flagmenu("get menu").text == "plain\n")
        #expect(workplace.flagmenu("fetch").status == 0)
        for secret in [server.serviceAccountSecret, "ya29"] {
            workplace.expectReportsHide(secret, key: "menu")
            workplace.expectNotSaved(secret)
        }
    }

    @Test(arguments: ["google-services.json", "GoogleService-Info.plist"])
    func `the file of an app is enough to read its values`(file: String) async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round", "limit": "3"])
        workplace.write(file.hasSuffix("json") ? server.googleServicesFile : server.propertyList, to: "app/\(file)")
        project(url: server.url, #""appFile": "app/\#(file)", "context": {"country_code": "FR", "plan": "pro"}"#)
        workplace.flagmenu("get menu").expect(exactly: "round\n")
        #expect(server.server.requests.last?.json?["country_code"]?.text == "fr")
        server.set(["menu": "square"])
        #expect(workplace.flagmenu("fetch").status == 0)
        #expect(workplace.flagmenu("activate").status == 0)
        #expect(workplace.flagmenu("get menu").text == "square\n")
        workplace.expectReportsHide("hush", key: "menu")
        workplace.expectNotSaved("AIza-hush")
        let registered = server.server.requests.count { $0.path.hasSuffix("/installations/") }
        #expect(registered == 1, "all runs use the same installation")
        let cached = workplace.shell(
            "find '\(workplace.home)' -type f -exec grep -l -e hush {} + | xargs ls -l | cut -c1-10,30-"
        ).expect(text: "/shop/installations/")
        #expect(cached.text.hasPrefix("-rw-------") && cached.text.split(separator: "\n").count == 1, "\(cached.text)")
    }

    @Test func `a prefix selects parameters of a template and of an app`() async throws {
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
                .expect(text: "shop_limit", #""category": "Sizes""#)
            #expect(!run.text.contains("menu"), "\(run.text)")
        }
    }

    @Test func `an installation that cannot be saved is a warning, and values are read`() async throws {
        let server = try await LoopbackFirebaseApps(["menu": "round"])
        workplace.write(server.googleServicesFile, to: "app.json")
        project(url: server.url, #""appFile": "app.json""#)
        workplace.write("", to: "\(workplace.home)/.local/state/flagmenu/shop/installations")
        workplace.flagmenu("get menu").expect(exactly: "round\n")
        workplace.flagmenu("fetch").expect(0, errors: "so the next run uses a new one.", without: "hush")
    }

    @Test(arguments: [
        ("cloudkit:iCloud.x", "", "set CLOUDKIT_API_TOKEN"),
        ("cloudkit:iCloud.x", #""privateKeyFile": "key.pem""#, "set CLOUDKIT_KEY_ID"),
        ("cloudkit:iCloud.x", #""privateKeyFile": "nowhere.pem", "keyIDVariable": "HOME""#, "no such file"),
        ("cloudkit:iCloud.x", #""environment": "staging""#, "development or production"),
        ("cloudkit:iCloud.x", #""token": "hush""#, "tokenVariable"),
        ("firebase:shop", "", "set GOOGLE_APPLICATION_CREDENTIALS"),
        ("firebase:shop", #""serviceAccountFile": "nowhere.json""#, "no such file"),
        ("firebase:shop", #""namespace": "staging""#, "one of client, server"),
        ("firebase:shop", #""token": "hush""#, "tokenVariable"),
        ("firebase:shop", #""conditions": {"ios": "yes"}"#, "true or false"),
        ("firebase:shop", #""context": {"a": []}"#, "\"context\""),
        ("firebase:shop", #""mode": "client""#, "appFile"), ("firebase:shop", #""mode": "app""#, "one of template"),
        ("firebase:shop", #""appFile": "nowhere.json""#, "no such file"),
        ("firebase:shop", #""appFile": "app.json", "package": "x""#, "does not name the app"),
        ("firebase:shop", #""appFile": "app.json", "androidCert": "0a:0a""#, "SHA-1"),
        ("firebase:shop", #""appFile": "other.json""#, "belongs to the project"),
        ("firebase:shop", #""appFile": "app.json", "context": {"a": []}"#, "strings and numbers"),
        ("firebase:shop", #""appFile": "flagmenu.json""#, "google-services.json"),
    ])
    func `an invalid setting is named, nothing is sent`(source: String, members: String, words: String) async throws {
        let server = try await LoopbackServer { _ in .json("{}") }
        let app = try await LoopbackFirebaseApps(["menu": "round"]).googleServicesFile
        workplace.write(app, to: "app.json")
        workplace.write(app.replacing("\"shop\"", with: "\"other\""), to: "other.json")
        workplace.writeSource(source, #""url": "\#(server.url)""# + (members.isEmpty ? "" : ", \(members)"))
        #expect(workplace.flagmenu("list").expect(errors: words, without: "hush").status != 0)
        #expect(server.requests.isEmpty)
    }
}
#endif
