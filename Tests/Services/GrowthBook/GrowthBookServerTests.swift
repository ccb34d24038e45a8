#if Network
import FlagRemote
import FlagSourceGrowthBook
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("GrowthBook: with a loopback server", .limitedParallelism)
struct GrowthBookServerTests {
    /// GrowthBook explains errors in `error`, the GrowthBook Proxy in `message`.
    @Test(arguments: GrowthBookSettings.Evaluation.allCases, ["error", "message"])
    func `an error quotes what GrowthBook says, without the client key`(
        evaluation: GrowthBookSettings.Evaluation, member: String
    ) async throws {
        let server = try await LoopbackServer { _ in
            .json(#"{"status": 400, "\#(member)": "Failed to get features for sdk-hush"}"#, status: 400)
        }
        var settings = try GrowthBookSettings(baseURL: server.url, clientKey: Secret("sdk-hush"))
        settings.evaluation = evaluation
        let client = SourceClient(transport: HTTPTransport(), retry: .none)
        let error = await GrowthBookSource(settings, client: client).fetchError()
        #expect(error?.code == .rejected && error?.status == 400, "\(String(describing: error))")
        #expect(error?.sentence.contains(#"and says "Failed to get features for ***""#) == true)
    }
}
#endif
