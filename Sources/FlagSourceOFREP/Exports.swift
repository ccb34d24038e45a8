// What an app needs to name when it uses this source, so that it imports no module but this one and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret
@_exported public import struct FlagRemote.SourceHeaders
