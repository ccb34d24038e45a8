#if Server
import FlagModel
import FlagRemote
import Flags
import TestSupport
import Testing

/// An "é" of one scalar and an "é" of two are two flags of the server.
@Suite("Server: keys that look the same", .limitedParallelism) struct EquivalentKeysTests {
    @Test func `each of two keys that look the same has its own value and its own override`() async throws {
        let server = try await TestServer(["caf\u{e9}": "1", "cafe\u{301}": "2"])
        let (composed, decomposed) = ("caf%C3%A9", "cafe%CC%81")
        func value(_ key: String) async throws -> String {
            let response = try await server.send(.post, "/ofrep/v1/evaluate/flags/\(key)", #"{"context": {}}"#)
            return response.text
        }
        let first = try await value(composed)
        #expect(first.contains(#""value":1"#), "\(first)")
        #expect(try await value(decomposed).contains(#""value":2"#))
        let path = "/api/v1/overrides/\(composed)"
        let set = try await server.write(.put, path, #"{"value": "3"}"#)
        #expect(set.status == 200, "\(set.text)")
        #expect(try await value(composed).contains(#""value":3"#))
        #expect(try await value(decomposed).contains(#""value":2"#))
    }
}
#endif
