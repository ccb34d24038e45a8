/// One thing that must hold of every source. All of them: ``checkSource(_:)``.
///
/// ```swift
/// @Test(arguments: SourceCheck.allCases)
/// func compatibility(check: SourceCheck) async throws { try await check.run(on: subject) }
/// ```
public enum SourceCheck: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Its identity is the same each time, and neither that nor anything else that it shows of itself holds a secret.
    case identity
    /// A fetch brings the service's values.
    case values
    /// What the service says is unchanged is not sent again.
    case versions
    /// Whatever the service does, the last good values stay in use, and one sentence of its own says why.
    case faults
    /// A service that hangs does not hold up an app's start.
    case start
    /// A fetch that is cancelled ends at once, and says so.
    case cancellation
    /// However long a service fails, it is asked less and less.
    case restraint
    /// A service that comes back is believed.
    case recovery
    /// A clock that jumps, by hand or after a night in a drawer, takes no value away and keeps nobody from asking.
    case clock

    /// Its name.
    public var description: String { rawValue }

    /// Looks whether it holds.
    ///
    /// - Throws: an ``IncompatibleSource`` that says what does not.
    public func run(on subject: SourceSubject) async throws {
        let server = try await LoopbackServer(isStruck: subject.isStruck, answer: subject.service)
        var examination = SourceExamination(subject, server)
        switch self {
        case .identity: try await examination.identity()
        case .values: try await examination.values()
        case .versions: try await examination.versions()
        case .faults: try await examination.faults()
        case .start: try await examination.start()
        case .cancellation: try await examination.cancellation()
        case .restraint: try await examination.restraint()
        case .recovery: try await examination.recovery()
        case .clock: try await examination.clockJumps()
        }
        guard examination.findings.isEmpty else { throw IncompatibleSource(findings: examination.findings) }
    }
}

/// Looks whether everything holds that must hold of every source.
///
/// - Throws: an ``IncompatibleSource`` with all that does not.
public func checkSource(_ subject: SourceSubject) async throws {
    var findings: [String] = []
    for check in SourceCheck.allCases {
        do {
            try await check.run(on: subject)
        } catch let error as IncompatibleSource {
            findings += error.findings
        }
    }
    guard findings.isEmpty else { throw IncompatibleSource(findings: findings) }
}
