// The words of the model that an app needs to use a store, so that it imports one module.
@_exported public import struct FlagModel.Explanation
@_exported public import struct FlagModel.FlagReadError
@_exported public import enum FlagModel.FlagType
@_exported public import enum FlagModel.Layer
@_exported public import struct FlagModel.Override
@_exported public import struct FlagModel.Timestamp
@_exported public import struct FlagSourceSupport.RemoteFile
@_exported public import protocol FlagSourceSupport.RemoteSource
