// The type of the values that a suite expects, so that a test of a source needs no other import.
@_exported public import struct FlagModel.FlagTable
