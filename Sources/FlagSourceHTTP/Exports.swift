// What an app needs to name when it gives a transport to a source.
@_exported public import struct FlagRemote.RetryPolicy
@_exported public import struct FlagRemote.SourceClient
@_exported public import struct FlagRemote.SourceLimits
