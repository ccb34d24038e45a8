#if ServiceLifecycle && Metrics
import Flags
import FlagsService
import Logging
import ServiceLifecycle
import UnixSignals

// The code of the article on servers and of the comments in FlagsService, word for word.

private func main(_ server: some Service, _ logger: Logger) async throws {
    let flags = FlagStore(app: "shop-server", sources: [RemoteFile("remote.json")], options: .init(overrides: .closed))
    await flags.start()
    let metrics = flags.recordMetrics()
    defer { metrics.cancel() }
    let services = ServiceGroup(
        services: [FlagService(flags), server], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await services.run()
}
#endif
