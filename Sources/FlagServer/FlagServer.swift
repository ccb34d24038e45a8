#if Server
package import FlagModel
import FlagPresence
import FlagStorage
public import Flags
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import Platform
import ServiceLifecycle
import UnixSignals

/// A server for the flags of a store: apps in any language evaluate them with OpenFeature, and testers change overrides
/// in a browser.
///
/// It speaks the OpenFeature Remote Evaluation Protocol at `/ofrep/v1`, and has a management API at `/api/v1` and a page
/// at `/`. Writing needs a token; see ``AccessTokens``.
///
/// ```swift
/// let flags = FlagStore(app: "shop", sources: [RemoteFile("remote.json")], options: .init(overrides: .open))
/// try await FlagServer(flags).run { print("Listening on \($0.url)") }
/// ```
public struct FlagServer: Sendable {
    /// Where a running server is reached.
    public struct Location: Sendable {
        /// The address, such as `http://127.0.0.1:7110`.
        public let url: String
        /// The IP address at which programs on this machine reach the server, whatever the name in ``url`` leads to.
        public let address: String
        /// The address of the page with a code that opens it once, for writing.
        public let link: String
    }

    /// Why a server could not run, as a sentence.
    public struct Failure: Error, CustomStringConvertible {
        /// The sentence.
        public let description: String
    }

    /// The tokens that clients need.
    public let tokens: AccessTokens
    private let settings: ServerSettings
    private let policy: AccessPolicy
    let flags: ServedFlags

    /// A server for a store that is open and follows its sources.
    ///
    /// - Parameters:
    ///   - flags: the store. Overrides can be changed only if the store has them open.
    ///   - settings: the address and the limits.
    ///   - tokens: the tokens; by default new ones, and reading needs one unless the server is on loopback.
    public init(_ flags: FlagStore, settings: ServerSettings = ServerSettings(), tokens: AccessTokens? = nil) {
        self.init(flags, settings: settings, tokens: tokens, presenceFolders: flags.presenceFolder.map { [$0] } ?? [])
    }

    /// - Parameters:
    ///   - presenceFolders: the folders in which running apps announce themselves. The server announces its clients in
    ///     the first one.
    ///   - scenarios: the folders of scenarios; by default, the one beside the overrides.
    ///   - readOnlyReason: returns why overrides cannot be changed, as a sentence; `nil` if they can.
    ///   - secrets: returns which flags are secret, besides those that the catalog marks.
    package init(
        _ flags: FlagStore, settings: ServerSettings, tokens: AccessTokens?, presenceFolders: [String],
        scenarios: ScenarioFolders? = nil, readOnlyReason: @escaping @Sendable () -> String? = { nil },
        secrets: @escaping @Sendable () -> SecretFlags = { SecretFlags() }
    ) {
        self.settings = settings
        self.tokens = tokens ?? AccessTokens(reading: settings.isLoopback ? nil : AccessToken())
        self.flags = ServedFlags(
            flags, settings.limits, presenceFolders: presenceFolders, scenarios: scenarios,
            secrets: secrets, readOnlyReason: readOnlyReason)
        policy = AccessPolicy(settings, self.tokens, Sessions(now: flags.now))
    }

    /// Serves until the process receives `SIGTERM` or `SIGINT`, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - handlesSignals: whether the server ends on signals; `false` for an app that handles them itself.
    ///   - onStart: called when the server listens.
    /// - Throws: why the server cannot listen.
    public func run(
        handlesSignals: Bool = true, onStart: @escaping @Sendable (Location) async -> Void = { _ in }
    ) async throws(Failure) {
        let responder = ServerResponder(flags, policy, settings.limits)
        do {
            let service = try builder().buildServer(
                configuration: ServerConfiguration(
                    address: .hostname(AccessPolicy.bare(settings.address), port: settings.port), backlog: 512,
                    availableConnectionsDelegate: .maximum(
                        OpenFiles.limitConnections(to: settings.limits.connections), logger: Self.logger)),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: Self.logger
            ) { request, writer, _ in
                let response = try await responder.respond(to: request)
                try await writer.write(response: response.head, body: response.body)
            } onServerRunning: { channel in
                await onStart(location(channel.localAddress))
            }
            var configuration = ServiceGroupConfiguration(
                services: [service, flags], gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [],
                logger: Self.logger)
            // A client that does not read its response would keep the server from ending.
            configuration.maximumGracefulShutdownDuration = .seconds(2)
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            let reason =
                error.errnoCode == EADDRINUSE
                ? "The port \(settings.port) of \(settings.address) is in use. Choose another one with --port, or 0 for any free one."
                : "The server cannot listen on \(settings.address):\(settings.port): \(String(cString: strerror(error.errnoCode)))."
            throw Failure(description: reason)
        } catch is SocketAddressError.UnknownHost {
            throw Failure(
                description: "\(settings.address) is not an address of this machine. The server did not start.")
        } catch  where error is InvalidText || error is StorageError {
            throw Failure(description: "\(error) The server did not start.")
        } catch is CancellationError {
            return
        } catch {
            throw Failure(description: "The server ended: \(error)")
        }
    }

    private static let logger = Logger(label: "flags.server") { _ in SwiftLogNoOpLogHandler() }

    private func builder() throws -> HTTPServerBuilder {
        let limits = settings.limits
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [RequestDeadline(limits.requestTime)],
                idleTimeout: TimeAmount(limits.idleTime),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headSize, maxHeaderListSize: limits.headSize, maxHeaderFieldCount: 100)))
        guard let files = settings.certificate else { return plain }
        return try .tls(plain, tlsConfiguration: .server(chainPath: files.chain, keyPath: files.key))
    }

    private func location(_ bound: SocketAddress?) -> Location {
        let name = policy.names.linked
        let url = "\(policy.scheme)://\(name.contains(":") ? "[\(name)]" : name):\(bound?.port ?? settings.port)"
        return Location(
            url: url, address: policy.names.local ?? bound?.ipAddress ?? AccessPolicy.bare(settings.address),
            link: url + policy.makeLink())
    }
}
#endif
