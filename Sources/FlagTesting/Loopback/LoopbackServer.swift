#if Network
public import FlagRemote
import NIOCore
import NIOHTTP1
import NIOPosix
public import NIOSSL
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that responds as a test requires, including faults.
///
/// ```swift
/// let server = try await LoopbackServer { request in .json(#"{"a": true}"#) }
/// server.inject(.reset)             // the next request
/// server.inject(.status(500), times: .max)
/// ```
public final class LoopbackServer: Sendable {
    private struct State {
        var listener: (any Channel)?
        var requests: [LoopbackRequest] = []
        var faults: [LoopbackReply] = []
        /// The reply to all requests after those with other faults.
        var lastingFault: LoopbackReply?
        /// All connections, each with the name of its open stream.
        var connections: [(channel: any Channel, stream: String?)] = []
        var respond: @Sendable (LoopbackRequest) async -> LoopbackReply
    }

    /// Separate threads for replies: a test that waits for a program blocks threads of the shared pool, while the
    /// program may wait for a reply.
    private static let threads = OwnThreads(label: "flagmenu.loopback")

    /// The server's port.
    public var port: Int { reserved.number }

    private let reserved: ReservedPort
    private let tls: NIOSSLContext?
    private let isFaultTarget: @Sendable (LoopbackRequest) -> Bool
    private let state: Mutex<State>

    /// Starts to listen on a free port.
    ///
    /// - Parameters:
    ///   - tls: the certificate for `https`; `http` by default.
    ///   - isFaultTarget: whether faults are injected for a request; by default, for all requests.
    ///   - respond: returns the reply to a request.
    public init(
        tls: NIOSSLContext? = nil,
        isFaultTarget: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true },
        respond: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply
    ) async throws {
        (self.tls, self.isFaultTarget) = (tls, isFaultTarget)
        // Reserved, so that no other process gets the port and responds while the server refuses connections.
        reserved = try ReservedPort()
        state = .init(State(respond: respond))
        try await accept()
    }

    deinit {
        state.withLock { state in
            state.listener?.close(promise: nil)
            for (channel, _) in state.connections { channel.close(promise: nil) }
        }
    }

    /// The server's address, without a `/` at the end.
    public var url: String { "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// All requests so far.
    public var requests: [LoopbackRequest] { state.withLock { $0.requests } }

    /// Clears the recorded requests.
    public func forgetRequests() { state.withLock { $0.requests = [] } }

    /// Changes the reply to requests.
    public func respond(_ response: @escaping @Sendable (LoopbackRequest) async -> LoopbackReply) {
        state.withLock { $0.respond = response }
    }

    /// Injects a reply for the next `times` requests, or for all if that is `.max`. Replies that were injected for some
    /// requests are used first, in order.
    public func inject(_ reply: LoopbackReply, times: Int = 1) {
        state.withLock { state in
            if times == .max { state.lastingFault = reply } else { state.faults += repeatElement(reply, count: times) }
        }
    }

    /// Removes all injected replies.
    public func recover() { state.withLock { ($0.faults, $0.lastingFault) = ([], nil) } }

    /// Closes all connections and refuses new ones.
    public func refuse() async {
        let (listener, connections) = state.withLock { state in
            defer { (state.listener, state.connections) = (nil, []) }
            return (state.listener, state.connections.map(\.channel))
        }
        try? await listener?.close()
        for channel in connections { try? await channel.close() }
    }

    /// Listens again, on the same port.
    public func accept() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [weak self, tls] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                    let connection = LoopbackConnection { [weak self] request in
                        guard let self else { return channel.close(promise: nil) }
                        Task(executorPreference: Self.threads) { await self.serve(request, on: channel) }
                    }
                    try pipeline.addHandler(connection)
                    self?.register(channel)
                }
            }
            .withBoundSocket(reserved.socketToListen()).get()
        state.withLock { $0.listener = listener }
    }

    private func register(_ channel: any Channel) {
        state.withLock { $0.connections.append((channel, nil)) }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { $0.connections.removeAll { $0.channel === channel } }
        }
    }

    private func serve(_ request: LoopbackRequest, on channel: any Channel) async {
        let (fault, respond) = state.withLock { state in
            state.requests.append(request)
            guard isFaultTarget(request) else { return (LoopbackReply?.none, state.respond) }
            return (state.faults.isEmpty ? state.lastingFault : state.faults.removeFirst(), state.respond)
        }
        let reply: LoopbackReply
        if let fault { reply = fault } else { reply = await respond(request) }
        // The error of a client that has disconnected is ignored.
        try? await channel.respond(reply)
        guard case .stream(let name, _, _) = reply else { return }
        state.withLock { state in
            for index in state.connections.indices where state.connections[index].channel === channel {
                state.connections[index].stream = name
            }
        }
    }
}

// Streams that stay open.
extension LoopbackServer {
    /// The number of clients that have a stream open.
    public func listeners(_ name: String) -> Int { channels(name).count }

    /// Sends bytes on a stream.
    public func push(_ bytes: [UInt8], to name: String) async {
        for channel in channels(name) { try? await channel.chunk(bytes) }
    }

    /// Waits until a client has a stream open.
    ///
    /// - Throws: an error after four minutes, or if the task is cancelled.
    public func waitForListener(_ stream: String) async throws {
        try await wait(for: "client with the stream \(stream) open") { listeners(stream) > 0 }
    }

    /// Waits until `count` requests were received in total.
    ///
    /// - Parameters:
    ///   - count: the number of requests to wait for.
    ///   - isIncluded: whether a request counts; by default, all requests count.
    /// - Throws: an error after four minutes, or if the task is cancelled.
    public func waitForRequests(
        _ count: Int = 1, where isIncluded: (LoopbackRequest) -> Bool = { _ in true }
    ) async throws {
        try await wait(for: "\(count) requests") { requests.count(where: isIncluded) >= count }
    }

    /// Sends an event on an event stream.
    public func push(_ event: ServerSentEvent, to name: String) async {
        await push(event.wireBytes, to: name)
    }

    /// Closes the connections of all clients of a stream.
    public func breakOff(_ name: String) async {
        for channel in channels(name) { try? await channel.close() }
    }

    private func channels(_ name: String) -> [any Channel] {
        state.withLock { $0.connections.filter { $0.stream == name }.map(\.channel) }
    }
}

extension ServerSentEvent {
    /// The event as a server sends it.
    package var wireBytes: [UInt8] {
        // The name is always sent, as splitio_client ends the connection at an event without a name.
        var lines = ["event: \(name)"]
        if !id.isEmpty { lines.append("id: \(id)") }
        lines += data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)" }
        return Array((lines.joined(separator: "\n") + "\n\n").utf8)
    }
}
#endif
