#if Server
import FlagModel
import FlagRemote
import FlagServer
import FlagSourceHTTP
import FlagStorage
import Flags
import NIOCore
import NIOPosix
import TestSupport

/// A server in this process, which ends with the last reference.
final class TestServer: Sendable {
    let flags: FlagStore
    let server: FlagServer
    let location: FlagServer.Location
    /// A separate thread for the server: tests that compute or block take those of the shared pools.
    private let thread = OwnThreads(label: "flagmenu.test-server", isConcurrent: false)
    private let task: Task<Void, Never>
    private let folder: Workplace
    private let transport = HTTPTransport()

    /// Starts a server for a store on disk.
    ///
    /// - Parameters:
    ///   - values: the remote values.
    ///   - isFetching: whether the sources are read before the server starts.
    ///   - folder: the folder with the folder `state` of the store.
    ///   - change: changes the settings.
    init(
        _ values: FlagTable<String> = [:], sources: [any RemoteSource] = [],
        isFetching: Bool = true, tokens: AccessTokens? = nil, in folder: Workplace = Workplace(),
        _ change: (inout ServerSettings) -> Void = { _ in }
    ) async throws {
        self.folder = folder
        flags = FlagStore(
            app: "shop", sources: sources,
            options: .init(
                overrides: .open, launch: [:], minimumFetchInterval: .zero, storeDirectory: "\(folder.path)/state",
                cacheDirectory: "\(folder.path)/cache"))
        if !values.isEmpty { flags.updateRemote(values) }
        if isFetching, !sources.isEmpty { _ = await flags.fetchAndActivate() }
        var settings = ServerSettings()
        change(&settings)
        settings.port = 0
        let server = FlagServer(flags, settings: settings, tokens: tokens)
        self.server = server
        let (locations, continuation) = AsyncStream.makeStream(of: FlagServer.Location.self)
        task = Task(executorPreference: thread) {
            try? await server.run(handlesSignals: false) { continuation.yield($0) }
            continuation.finish()
        }
        var iterator = locations.makeAsyncIterator()
        guard let location = await iterator.next() else { throw NotStarted() }
        self.location = location
    }

    deinit { task.cancel() }

    /// Sends a request.
    ///
    /// - Parameter token: the bearer token; `nil` for none.
    func send(
        _ method: SourceRequest.Method, _ path: String, _ body: String = "", token: String? = nil,
        headers: [(String, String)] = []
    ) async throws -> SourceResponse {
        guard let url = SourceURL(location.url + path) else { throw NotStarted() }
        var request = SourceRequest(
            source: "test", method: method, url: url, headers: SourceHeaders(headers), body: Array(body.utf8))
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
        return try await transport.send(request, limits: .fetch) { _ in }
    }

    /// The port.
    var port: Int? { SourceURL(location.url)?.port }

    /// Sends bytes on one connection; returns all that the server sends until it closes the connection.
    ///
    /// - Parameter pieces: sent one after another, with a pause in between.
    func exchange(_ pieces: [String]) async throws -> String {
        guard let port else { throw NotStarted() }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            async let received = inbound.reduce(into: "") { $0 += String(buffer: $1) }
            for piece in pieces {
                try await outbound.write(ByteBuffer(string: piece))
                try await Task.sleep(for: .milliseconds(5))
            }
            return try await received
        }
    }

    /// Sends a request with the token for writing.
    func write(_ method: SourceRequest.Method, _ path: String, _ body: String = "") async throws -> SourceResponse {
        try await send(method, path, body, token: server.tokens.writing.text)
    }

    /// Evaluates a flag.
    func evaluate(_ key: String, _ context: String = "{}") async throws -> SourceResponse {
        try await send(.post, "/ofrep/v1/evaluate/flags/\(key)", #"{"context": \#(context)}"#)
    }
}

/// The server did not start, or the path of a request is not valid.
private struct NotStarted: Error {}

extension SourceResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
#endif
