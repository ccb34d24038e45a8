#if ServiceLifecycle
import Flags
import FlagsService
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import TestSupport
import Testing

/// The service keeps flags up to date until its server shuts down.
@Suite(.timeLimit(.minutes(10)))
struct FlagServiceTests {
    private let place = Workplace()
    private let source = CountingSource()

    private func store(_ source: CountingSource) -> FlagStore {
        FlagStore(
            app: "shop", sources: [source],
            options: .init(
                overrides: .closed, announces: false, minimumFetchInterval: .zero, storeDirectory: place.path,
                cacheDirectory: place.path))
    }

    private func count(_ flags: FlagStore) -> Int { (try? flags.int("count")) ?? 0 }

    private func waitUntil(_ isTrue: () -> Bool) async {
        while !isTrue() { try? await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `flags are fetched and follow their source until a graceful shutdown`() async {
        let flags = store(source)
        await testGracefulShutdown { shutdown in
            async let service: Void = FlagService(flags).run()
            await waitUntil { count(flags) >= 1 }
            source.reportChange()
            await waitUntil { count(flags) >= 2 }
            shutdown.triggerGracefulShutdown()
            await service
        }
    }

    @Test(arguments: [true, false]) func `without anything to follow, the service runs as long as its server`(
        hasSource: Bool
    ) async throws {
        let flags = hasSource ? store(CountingSource(reportsChanges: false)) : .inMemory()
        let services = ServiceGroup(services: [FlagService(flags)], logger: LogLines().logger)
        async let server: Void = services.run()
        if hasSource { await waitUntil { count(flags) == 1 } }
        try await Task.sleep(for: .milliseconds(100))
        await services.triggerGracefulShutdown()
        // Throws if the service has ended before.
        try await server
    }

    @Test func `a cancelled service ends`() async {
        let flags = store(source)
        let service = Task { await FlagService(flags).run() }
        await waitUntil { count(flags) == 1 }
        service.cancel()
        await service.value
    }

    @Test func `a server whose flags cannot be fetched runs on`() async throws {
        source.fail(.unreachable)
        let flags = store(source)
        let services = ServiceGroup(services: [FlagService(flags)], logger: LogLines().logger)
        async let server: Void = services.run()
        await waitUntil { flags.remoteStatus.issue != nil }
        await services.triggerGracefulShutdown()
        try await server
    }
}
#endif
