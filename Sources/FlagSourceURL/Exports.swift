// What an app needs to name when it uses this source, so that it imports no module but this one and FlagSourceHTTP.
@_exported public import typealias FlagRemote.DocumentEvaluation
@_exported public import struct FlagRemote.Secret
