#if Metrics
import Flags
import FlagsService
import MetricsTestKit
import TestSupport
import Testing

extension FlagKey<Bool> {
    fileprivate static let hasSale = FlagKey("metrics_sale", default: false)
}

extension FlagKey<String> {
    fileprivate static let greeting = FlagKey("metrics_greeting", default: "Hello")
}

private enum Theme: String, CaseIterable, FlagValue { case plain, festive }

extension FlagKey<Theme> {
    fileprivate static let theme = FlagKey("metrics_theme", default: .plain)
}

/// What is counted, and that the number of time series is limited.
@Suite(.timeLimit(.minutes(10)))
struct MetricsTests {
    private let place = Workplace()
    private let metrics = TestMetrics()
    private let flags = FlagStore.inMemory()

    private func total(_ label: String, _ dimensions: (String, String)..., in other: TestMetrics? = nil) -> Int64 {
        (try? (other ?? metrics).expectCounter(label, dimensions))?.totalValue ?? 0
    }

    private func fetches(_ outcome: String) -> Int64 {
        total("flags.fetches", ("source", "Counting source"), ("outcome", outcome))
    }

    @Test func `fetches are counted by source and outcome`() async {
        let source = CountingSource()
        let flags = FlagStore(
            app: "shop", sources: [source],
            options: .init(
                overrides: .closed, announces: false, minimumFetchInterval: .zero, storeDirectory: place.path,
                cacheDirectory: place.path))
        let counting = flags.recordMetrics(factory: metrics)
        await flags.fetchAndActivate()
        await flags.fetchAndActivate()
        source.fail(.unreachable)
        await flags.fetchAndActivate()
        while fetches("unreachable") == 0 { await Task.yield() }
        #expect(fetches("ok") == 2 && fetches("unreachable") == 1)
        withExtendedLifetime(counting) {}
    }

    @Test func `changes are counted by the layer of the new value, until counting ends`() async throws {
        let counting = flags.recordMetrics(factory: metrics)
        flags.updateRemote(["metrics_sale": "true", "metrics_greeting": "Hi"])
        // A change that follows at once would be merged with this one.
        while total("flags.changes", ("layer", "remote")) < 2 { await Task.yield() }
        try await flags.setOverride(.hasSale, to: false)
        while total("flags.changes", ("layer", "override")) == 0 { await Task.yield() }
        #expect(total("flags.changes", ("layer", "remote")) == 2)
        #expect(total("flags.changes", ("layer", "override")) == 1)
        counting.cancel()
        let later = TestMetrics()
        let countingLater = flags.recordMetrics(factory: later)
        try await flags.clearOverrides()
        while total("flags.changes", ("layer", "remote"), in: later) == 0 { await Task.yield() }
        #expect(total("flags.changes", ("layer", "remote")) == 2)
        withExtendedLifetime(countingLater) {}
    }

    @Test func `exposures are counted by value only for bools and options`() throws {
        let catalog = """
            [{"category":"Shop","items":[{"key":"plan","value":"free|pro"},{"key":"code","value":"a|b","secret":true}]}]
            """
        flags.updateRemote([
            "config_categories": catalog, "plan": "pro", "code": "a", "metrics_sale": "yes", "metrics_theme": "festive",
            "metrics_greeting": "Hello, Ana",
        ])
        // A key is declared when it is first used.
        #expect(FlagKey<Theme>.theme.name == "metrics_theme")
        let counting = flags.recordMetrics(countsExposures: true, factory: metrics)
        _ = (flags[.hasSale], flags[.theme], flags[.greeting])
        _ = (try flags.string("plan"), try flags.string("code"), try? flags.string("page-of-ana"))
        let counted = [
            ("metrics_sale", "true"), ("metrics_theme", "festive"), ("metrics_greeting", "other"), ("plan", "pro"),
            ("code", "other"), ("other", "other"),
        ]
        for (flag, value) in counted {
            #expect(total("flags.exposures", ("flag", flag), ("value", value)) == 1, "\(flag)")
        }
        #expect(metrics.counters.count == counted.count)
        withExtendedLifetime(counting) {}
    }

    @Test func `values that somebody has set for testing are no exposures, and are counted only on request`()
        async throws
    {
        let counting = [true, false].map { flags.recordMetrics(countsExposures: $0, factory: metrics) }
        try await flags.setOverride(.hasSale, to: true)
        #expect(flags[.hasSale])
        flags.withOverrides([.set(.theme, to: .festive)]) { #expect(flags[.theme] == .festive) }
        #expect(metrics.counters.allSatisfy { $0.label != "flags.exposures" })
        #expect(flags[.greeting] == "Hello")
        #expect(total("flags.exposures", ("flag", "metrics_greeting"), ("value", "other")) == 1)
        withExtendedLifetime(counting) {}
    }
}
#endif
