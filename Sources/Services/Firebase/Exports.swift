// Re-exported so that an app imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret
