#if Network
import FlagRemote
import FlagSourceFlagsmith
import FlagSourceHTTP
import FlagTesting
import TestSupport
import Testing
import VendorServers

@Suite("Flagsmith: with a loopback server", .limitedParallelism)
struct FlagsmithServerTests {
    /// Django REST framework responds with status 403 instead of 401 if it sends no header WWW-Authenticate. The Edge
    /// Proxy has other statuses and members.
    @Test(
        arguments: [
            (403, #"{"detail":"Invalid or missing Environment Key"}"#, .refused, "Invalid or missing Environment Key"),
            (401, #"{"status":"unauthorized","message":"unknown key hush-key"}"#, .refused, "unknown key ***"),
            (403, #"{"detail":"Organisation is disabled from serving flags."}"#, .refused, "is disabled from serving"),
            (400, #"{"traits":[{"trait_value":["Value string is too long."]}]}"#, .rejected, "400"),
            (422, #"{"detail":[{"type":"missing","msg":"Field required"}]}"#, .rejected, "422"),
        ] as [(Int, String, SourceError.Code, String)])
    func `an error contains the message of the server or of the Edge Proxy, but not the key`(
        status: Int, body: String, code: SourceError.Code, words: String
    ) async throws {
        let server = try await LoopbackServer { _ in .json(body, status: status) }
        let settings = try FlagsmithSettings(baseURL: server.url, environmentKey: Secret("hush-key"))
        let client = SourceClient(transport: HTTPTransport(), retry: .none)
        let error = await FlagsmithSource(settings, client: client).fetchError()
        #expect(error?.code == code && error?.sentence.contains(words) == true, "\(String(describing: error))")
        #expect(error?.sentence.contains("\(status)") == true && error?.sentence.contains("hush") == false)
    }
}
#endif
