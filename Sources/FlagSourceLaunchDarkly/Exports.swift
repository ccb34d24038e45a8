// What an app needs to use this source, so that it imports only this module and FlagSourceHTTP.
@_exported public import enum FlagRemote.ContextValue
@_exported public import struct FlagRemote.Secret
