/// The value of a flag and the reason for it: the evaluation details of OpenFeature.
public struct EvaluationDetails<Value: Sendable>: Sendable {
    /// The flag's key.
    public let flagKey: String
    /// The value that the code gets.
    public let value: Value
    /// The layer of the value, such as `override` or `remote`; `none` if no layer has one.
    public let variant: String
    /// Why the flag has this value.
    public let reason: EvaluationReason
    /// Why a value is missing or is not the one of the highest layer; `nil` if nothing is wrong.
    public let errorCode: EvaluationErrorCode?
    /// The error as a sentence; `nil` if nothing is wrong.
    public let errorMessage: String?
    /// What else is known: `type`, and for a value that was set by hand `setBy` and `setAt`, if known.
    public let flagMetadata: [String: String]
    /// The layer of the value; `nil` if no layer has one.
    public let layer: FlagLayer?

    /// Whether somebody has set the value for testing: in this run, on this machine, or for the team. Leave such
    /// evaluations out of experiments and exposure events.
    public var isOverridden: Bool { layer.map { $0 < .remote } ?? false }

    /// The details of a value.
    ///
    /// - Parameters:
    ///   - origin: where the value comes from.
    ///   - error: why a value is missing or is not the one of the highest layer; the message is a sentence.
    package init(
        flagKey: String, value: Value, origin: EvaluationOrigin,
        error: (code: EvaluationErrorCode, message: String)? = nil
    ) {
        (self.flagKey, self.value) = (flagKey, value)
        layer = origin.layer
        variant = origin.variant
        reason = error == nil ? origin.reason : .error
        errorCode = error?.code
        errorMessage = error?.message
        flagMetadata = Dictionary(origin.metadata) { first, _ in first }
    }
}

extension EvaluationDetails: Equatable where Value: Equatable {}

/// Why a flag has its value, in the words of OpenFeature.
public enum EvaluationReason: String, Sendable, Hashable, CaseIterable {
    /// The value is the remote one. It may depend on the evaluation context of the app.
    case `static` = "STATIC"
    /// This app gets the value, because somebody has set it for testing.
    case targetingMatch = "TARGETING_MATCH"
    /// No other layer has a value, so the default is used.
    case `default` = "DEFAULT"
    /// A value is missing or not valid.
    case error = "ERROR"
    /// No layer has a value.
    case unknown = "UNKNOWN"
}

/// What is wrong with a flag that has no value, or a value that could not be used: an error code of OpenFeature.
public enum EvaluationErrorCode: String, Sendable, Hashable, CaseIterable {
    /// No layer has the key.
    case flagNotFound = "FLAG_NOT_FOUND"
    /// A text is not valid for the type.
    case typeMismatch = "TYPE_MISMATCH"
    /// A text does not decode.
    case parseError = "PARSE_ERROR"
    /// The evaluation context is not valid.
    case invalidContext = "INVALID_CONTEXT"
}
