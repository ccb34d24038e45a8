public import FlagModel

/// What can be copied about one flag.
public struct CopySheet: Sendable, Equatable {
    /// One thing that can be copied, by the name of its action.
    enum Entry: String, Sendable, CaseIterable {
        case key = "copyKey"
        case value = "copyValue"
        case command = "copyCommand"
        case lastCommand = "copyLastCommand"
        case bugReport = "copyBugReport"

        var id: Action.ID { Action.ID(rawValue: rawValue) }

        /// What is copied, in a sentence.
        var words: String {
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
