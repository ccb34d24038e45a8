// Re-exported, as an app uses these types when it passes a transport to a source.
@_exported public import struct FlagModel.EvaluatedFlags
@_exported public import struct FlagRemote.RetryPolicy
@_exported public import struct FlagRemote.SourceClient
@_exported public import struct FlagRemote.SourceLimits
@_exported public import struct FlagRemote.SourceResponse
