public import FlagModel

/// What can be copied about one flag.
public struct CopySheet: Sendable, Equatable {
    /// The flag's key.
    public let key: FlagText
    /// The index of the selected entry in ``entries``.
    public internal(set) var selection = 0

    /// What can be copied, in the order of the sheet.
    static let entries: [Intent] = [.copyKey, .copyValue, .copyCommand, .copyLastCommand]
}
