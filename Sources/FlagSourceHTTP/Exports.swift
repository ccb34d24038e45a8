// What an app needs to name when it gives a transport to a source.
@_exported public import struct FlagSourceSupport.RetryPolicy
@_exported public import struct FlagSourceSupport.SourceClient
@_exported public import struct FlagSourceSupport.SourceLimits
