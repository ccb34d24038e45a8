#if Network
import FlagModel
import FlagRemote
import FlagSourceCloudKit
import FlagTesting
import Testing

struct CloudKitRequestTests {
    private static let token = CloudKitCredentials.apiToken(Secret("hush+/="))

    private func settings() throws -> CloudKitSettings {
        try CloudKitSettings(container: "iCloud.com.example.app", credentials: Self.token)
    }

    @Test func `one query of the public database requests two fields and up to 200 records`() throws {
        let request = try settings().request()
        #expect(request.method == .post && request.headers["Content-Type"] == "application/json")
        let path = CloudKitVectors.path.replacing("development", with: "production")
        #expect(request.url.text == "https://api.apple-cloudkit.com\(path)?ckAPIToken=hush%2B%2F%3D")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"query":{"recordType":"FeatureStatus"},"resultsLimit":200,"desiredKeys":["featureName","isActive"]}"#
        )
        let settings = try settings()
        #expect(!"\(request)\(settings)".contains("hush"))
    }

    @Test func `configured names, environment and URL are used; a marker continues the same query`() throws {
        var settings = try CloudKitSettings(
            container: "iCloud.com.example.app", credentials: Self.token, baseURL: "http://127.0.0.1:8080")
        settings.environment = .development
        (settings.recordType, settings.nameField, settings.activeField) = ("Toggle", "title", "on")
        let request = settings.request(continuing: "mark\"1")
        #expect(request.url.text == "http://127.0.0.1:8080\(CloudKitVectors.path)?ckAPIToken=hush%2B%2F%3D")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"query":{"recordType":"Toggle"},"resultsLimit":200,"desiredKeys":["title","on"],"continuationMarker":"mark\"1"}"#
        )
        #expect(settings.queryPath == CloudKitVectors.path)
    }

    @Test(arguments: ["", "com.example.app", "iCloud.", "iCloud.a/b", "iCloud.a?x", "icloud.a", "iCloud.ä"])
    func `an invalid container is rejected with an example`(text: String) {
        let error = #expect(throws: SourceError.self) { try CloudKitSettings(container: text, credentials: Self.token) }
        #expect(error?.description.contains("iCloud.com.example.shop") == true)
    }

    @Test func `identities differ by database and fields, not by credentials`() throws {
        let client = SourceClient(transport: ScriptedTransport([]))
        let source = CloudKitSource(try settings(), client: client)
        #expect(source.identity.text.hasPrefix("cloudkit:iCloud.com.example.app/production/FeatureStatus#"))
        #expect(source.name == "cloudkit:iCloud.com.example.app" && !source.identity.text.contains("hush"))
        let other = try CloudKitSettings(
            container: "iCloud.com.example.app", credentials: .apiToken(Secret("other")))
        #expect(CloudKitSource(other, client: client).identity == source.identity)
        let changes: [(inout CloudKitSettings) -> Void] = [
            { $0.environment = .development }, { $0.recordType = "Toggle" }, { $0.nameField = "n" },
            { $0.activeField = "a" },
            { $0.keyPrefix = "shop." },
        ]
        var identities: Set = [source.identity]
        for change in changes {
            var settings = try settings()
            change(&settings)
            identities.insert(CloudKitSource(settings, client: client).identity)
        }
        #expect(identities.count == 6)
    }

    @Test func `CloudKit has no live updates and polls every 60 seconds by default`() throws {
        let client = SourceClient(transport: ScriptedTransport([]))
        var settings = try settings()
        #expect(CloudKitSource(settings, client: client).pollInterval == .seconds(60))
        #expect(CloudKitSource(settings, client: client).changes() == nil)
        settings.pollInterval = nil
        #expect(CloudKitSource(settings, client: client).pollInterval == nil)
    }
}
#endif
