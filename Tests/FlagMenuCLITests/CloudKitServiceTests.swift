#if Network
import FlagRemote
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// The records of a CloudKit container, read by the built program.
@Suite(.limitedParallelism) struct CloudKitServiceTests {
    private let workplace = Workplace()
    private static let records = [
        LoopbackCloudKit.Record("new_ui", isActive: true), LoopbackCloudKit.Record("dark_mode", isActive: false),
    ]

    private func project(_ server: LoopbackCloudKit, _ members: String = "") {
        let more = members.isEmpty ? "" : ", \(members)"
        workplace.writeSource("cloudkit:\(server.container)", #""url": "\#(server.url)"\#(more)"#)
    }

    @Test func `a token from the environment reads the records page by page`() async throws {
        let server = try await LoopbackCloudKit(Self.records, access: .apiToken("hush-token"), pageSize: 1)
        project(server)
        let environment: [String: String?] = ["CLOUDKIT_API_TOKEN": "hush-token"]
        #expect(workplace.flagmenu("get new_ui", environment: environment).text == "true\n")
        #expect(workplace.flagmenu("get dark_mode").text == "false\n", "cached values need no credentials")
        #expect(server.server.requests.count == 2)
        workplace.flagmenu("explain new_ui").expect(text: "modified 2023-11-14T22:13:21Z", "options: true | false")
        server.set([LoopbackCloudKit.Record("new_ui", isActive: false)])
        #expect(workplace.flagmenu("fetch", environment: environment).status == 0)
        #expect(workplace.flagmenu("activate").status == 0)
        #expect(workplace.flagmenu("get new_ui").text == "false\n")
        workplace.flagmenu("fetch", environment: ["CLOUDKIT_API_TOKEN": "hush-wrong"]).expect(
            5, errors: "AUTHENTICATION_FAILED", "stay in use", without: "hush")
    }

    @Test func `an OpenSSL key signs requests and is never shown`() async throws {
        workplace.shell(
            "mkdir -p secrets && openssl ecparam -name prime256v1 -genkey -out secrets/key.pem && "
                + "openssl ec -in secrets/key.pem -pubout -out secrets/public.pem"
        ).expect(0)
        let publicKey = workplace.shell("cat secrets/public.pem").text
        let server = try await LoopbackCloudKit(
            Self.records, access: .serverKey(id: "hush-id", publicKey: publicKey), environment: "development")
        project(server, #""privateKeyFile": "secrets/key.pem", "environment": "development""#)
        workplace.flagmenu("get new_ui", environment: ["CLOUDKIT_KEY_ID": "hush-id"]).expect(exactly: "true\n")
        for secret in ["hush", "BEGIN"] {
            workplace.expectReportsHide(secret, key: "new_ui", environment: ["CLOUDKIT_KEY_ID": "hush-id"])
        }
    }
}
#endif
