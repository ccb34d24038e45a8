public import FlagModel

/// A source whose flags are evaluated for a context or by conditions that a tester can override. The tester's overrides
/// are stored under the source's address.
public protocol EvaluatedSource: RemoteSource {
    /// The member of the context that identifies the user or device, which OpenFeature calls the targeting key.
    var targetingMember: String { get }

    /// The same source with a tester's override of its context and conditions. If the override is not valid, requests
    /// fail with the reason.
    func overriding(_ contextOverride: ContextOverride) -> any RemoteSource

    /// The context and the conditions with a tester's override.
    ///
    /// - Parameter document: the source's document; `nil` if none has been read yet.
    func evaluation(overriding contextOverride: ContextOverride, _ document: RemoteDocument?) -> SourceEvaluation

    /// Why edits of a tester's override cannot be used; `nil` if they can.
    ///
    /// - Parameter contextOverride: the override before the edits.
    func error(in edits: [ContextEdit], to contextOverride: ContextOverride) -> SourceError?
}

extension EvaluatedSource {
    /// `targetingKey`.
    public var targetingMember: String { "targetingKey" }

    /// All edits can be used.
    public func error(in edits: [ContextEdit], to contextOverride: ContextOverride) -> SourceError? { nil }
}
