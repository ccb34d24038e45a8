#if ServiceLifecycle
public import Flags
public import ServiceLifecycle

/// Keeps the remote values of a server's flags up to date while the server runs, as a service of
/// swift-service-lifecycle.
///
/// ```swift
/// let services = ServiceGroup(
///     services: [FlagService(flags), server], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await services.run()
/// ```
public struct FlagService: Service {
    private let flags: FlagStore

    /// A service for the flags of a store.
    public init(_ flags: FlagStore) { self.flags = flags }

    /// Fetches, and then follows the sources and the team, until a graceful shutdown begins or the task is cancelled. If
    /// a source fails, the values in use stay, and ``Flags/FlagStore/remoteStatus`` says why.
    public func run() async {
        await cancelWhenGracefulShutdown {
            await flags.start()
            await flags.followRemote()
            // If no source can be followed. A service that ends by itself would end the whole server.
            try? await gracefulShutdown()
        }
    }
}
#endif
