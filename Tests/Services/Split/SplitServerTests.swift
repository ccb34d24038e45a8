#if Network
import FlagRemote
import FlagSourceHTTP
import FlagSourceSplit
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("Split: with a loopback evaluator", .limitedParallelism)
struct SplitServerTests {
    /// The evaluator responds with status 200 to an unknown path.
    @Test(
        arguments: [
            (401, #"{"error":"Unauthorized"}"#, .refused, "Unauthorized"),
            (400, #"{"error":["you passed a null or undefined key","and no name"]}"#, .rejected, "undefined key; and"),
            (500, #"{"error":{}}"#, .faulty, "500"),
            (200, #"{"route":"Sorry this page does not exist!"}"#, .malformed, "the URL of a Split evaluator"),
        ] as [(Int, String, SourceError.Code, String)])
    func `an error contains the evaluator's message`(
        status: Int, body: String, code: SourceError.Code, words: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json(body, status: status) }
        let client = SourceClient(transport: HTTPTransport(), retry: .none)
        let error = await SplitSource(try SplitSettings(baseURL: server.url), client: client).fetchError()
        #expect(error?.code == code && error?.sentence.contains(words) == true, "\(String(describing: error))")
    }
}
#endif
