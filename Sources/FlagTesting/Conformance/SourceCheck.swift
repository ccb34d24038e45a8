#if Network
/// One rule that every source must follow.
///
/// ```swift
/// @Test(arguments: SourceCheck.allCases)
/// func conformance(check: SourceCheck) async throws { try await check.run(on: suite) }
/// ```
public enum SourceCheck: String, Sendable, CaseIterable {
    /// The identity is always the same. Neither the identity nor a description of the source contains a secret. A base
    /// URL with a credential is an error, and a copied end of its path makes no difference.
    case identity
    /// A fetch returns the service's values.
    case values
    /// Values that did not change are not sent again.
    case versions
    /// The last good values stay in use after every fault, and each fault has a different sentence. Errors quote the
    /// service's explanations.
    case faults
    /// A service that hangs does not delay an app's start.
    case start
    /// A cancelled fetch ends immediately with an error that reports the cancellation.
    case cancellation
    /// The longer a service fails, the longer are the pauses between requests.
    case backoff
    /// A service that works again is used again.
    case recovery
    /// A jump of the clock loses no value and blocks no request.
    case clock

    /// Runs the check.
    ///
    /// - Throws: a ``ConformanceError`` with all findings.
    public func run(on suite: SourceConformanceSuite) async throws {
        let server = try await LoopbackServer(isFaultTarget: suite.isFaultTarget, respond: suite.service)
        var run = SourceConformanceRun(suite: suite, server: server)
        switch self {
        case .identity: try await run.identity()
        case .values: try await run.values()
        case .versions: try await run.versions()
        case .faults: try await run.faults()
        case .start: try await run.start()
        case .cancellation: try await run.cancellation()
        case .backoff: try await run.backoff()
        case .recovery: try await run.recovery()
        case .clock: try await run.clockJumps()
        }
        guard run.findings.isEmpty else { throw ConformanceError(findings: run.findings) }
    }
}
#endif
