#if Network
import FlagRemote
import FlagTesting
import Testing

extension SourceLimits {
    /// Long enough for a machine that runs a thousand tests at the same time.
    static let generous = SourceLimits(idleTimeout: .seconds(60), total: .seconds(120))
}

extension SourceRequest {
    /// A request of the source `flags`.
    init(
        _ url: String, _ method: Method = .get, _ headers: SourceHeaders = SourceHeaders(), body: [UInt8] = []
    ) throws {
        self.init(source: "flags", method: method, url: try #require(SourceURL(url)), headers: headers, body: body)
    }
}

extension SourceTransport {
    func send(_ request: SourceRequest, _ limits: SourceLimits = .generous) async throws -> SourceResponse {
        try await send(request, limits: limits) { _ in }
    }

    /// The error with which a request must fail.
    func failure(_ request: SourceRequest, _ limits: SourceLimits = .generous) async throws -> SourceError {
        try await #require(throws: SourceError.self) { try await send(request, limits) }
    }
}

extension LoopbackReply {
    static func bytes(_ body: [UInt8], coding: String? = nil) -> LoopbackReply {
        let headers = coding.map { [("Content-Encoding", $0)] } ?? []
        return .respond(SourceResponse(status: 200, headers: SourceHeaders(headers), body: body))
    }
}
#endif
