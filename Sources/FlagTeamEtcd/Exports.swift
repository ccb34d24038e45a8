// Re-exported, as code that makes a team of its own uses these types.
@_exported public import struct FlagModel.AppliedScenario
@_exported public import struct FlagModel.ContextChange
@_exported public import enum FlagModel.OverrideEdit
@_exported public import enum FlagModel.OverrideLife
