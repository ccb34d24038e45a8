#if Network
import FlagRemote
import Platform
import Testing

@testable import FlagSourceHTTP

/// Error sentences for failed connections.
@Suite struct HTTPFailureTests {
    private func failure() throws -> HTTPFailure {
        let url = try #require(SourceURL("http://flags.example.com/"))
        return HTTPFailure(
            request: SourceRequest(source: "flags", url: url), limits: .fetch, settings: TransportSettings())
    }

    @Test(
        arguments: [
            ([ECONNREFUSED], "refused the connection"), ([ECONNRESET], "refused the connection"),
            ([EHOSTUNREACH, ECONNREFUSED], "refused the connection"), ([EHOSTUNREACH], "no route to"),
            ([], "no connection to flags.example.com within 5 s"),
        ] as [([CInt], String)])
    func `a connection that was never established is not reported as broken`(codes: [CInt], words: String) throws {
        let error = try failure().unconnected(codes)
        #expect(error.sentence.contains(words) && !error.sentence.contains("broke"), "\(error)")
        #expect(error.code == (codes.isEmpty ? .timedOut : .unreachable))
    }
}
#endif
