public import FlagModel

/// A source whose flags are evaluated for a context or by conditions that a tester can override.
public protocol EvaluatedSource: RemoteSource {
    /// The name that a tester's overrides are stored under; the address unless there is a reason for another one.
    var contextName: String { get }

    /// The name that an earlier version stored them under; `nil` if there is none.
    var formerContextName: String? { get }

    /// The same source with a tester's override of its context and conditions. If it cannot be requested with it, its
    /// requests fail with the reason.
    func overriding(_ contextOverride: OwnContext) -> any RemoteSource

    /// The context and the conditions with a tester's override.
    ///
    /// - Parameter document: the source's document; `nil` if it is not known.
    func evaluation(overriding contextOverride: OwnContext, _ document: RemoteDocument?) -> SourceEvaluation

    /// Why edits of a tester's override cannot be used; `nil` if they can.
    ///
    /// - Parameter contextOverride: the override so far.
    func error(in edits: [ContextEdit], to contextOverride: OwnContext) -> SourceError?
}

extension EvaluatedSource {
    /// The address.
    public var contextName: String { address }

    /// None.
    public var formerContextName: String? { nil }

    /// All edits can be used.
    public func error(in edits: [ContextEdit], to contextOverride: OwnContext) -> SourceError? { nil }
}
