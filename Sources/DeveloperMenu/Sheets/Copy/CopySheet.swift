public import FlagModel

/// The sheet that copies the key, the value or a command of a flag.
public struct CopySheet: Sendable, Equatable {
    /// An entry of the sheet. The raw value is the id of its action.
    enum Entry: String, Sendable, CaseIterable {
        case key = "copyKey"
        case value = "copyValue"
        case command = "copyCommand"
        case lastCommand = "copyLastCommand"
        case bugReport = "copyBugReport"

        var id: Action.ID { Action.ID(rawValue: rawValue) }

        /// The entry's label, also used in sentences about the copied text.
        var label: String {
            switch self {
            case .key: "key"
            case .value: "value"
            case .command: "command"
            case .lastCommand: "last command"
            case .bugReport: "bug report"
            }
        }
    }

    /// The flag's key.
    public let key: FlagText
    /// The index of the selected entry.
    public internal(set) var selection = 0

    init(key: FlagText) { self.key = key }
}
