public import FlagModel

/// A source whose flags are evaluated for a context or by conditions that a tester can override.
public protocol EvaluatedSource: RemoteSource {
    /// The name that a tester's overrides are stored under; the address unless there is a reason for another one.
    var contextName: String { get }

    /// A name that they were stored under by an earlier version; `nil` if there is none.
    var formerContextName: String? { get }

    /// The same source with a tester's changes on top of its own context and conditions. If it cannot be requested like
    /// that, its requests fail with the reason.
    func overriding(_ contextOverride: OwnContext) -> any RemoteSource

    /// The context and the conditions with a tester's changes.
    ///
    /// - Parameter document: what the source says; `nil` if that is not known.
    func evaluation(overriding contextOverride: OwnContext, _ document: RemoteDocument?) -> SourceEvaluation

    /// Why edits of a tester's changes cannot be used; `nil` if they can.
    ///
    /// - Parameter contextOverride: the changes so far.
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
