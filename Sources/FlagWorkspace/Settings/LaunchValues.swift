import FlagModel

/// Values of one run, from `--launch KEY=VALUE` and `FLAGMENU_LAUNCH`; they override all other values and are never
/// saved.
enum LaunchValues {
    /// Reads the values from both origins. Arguments override the environment.
    package static func read(arguments: [String], variable: String?) throws(CommandFailure) -> FlagTable<String> {
        var values = try CommandFailure.converting(to: .usage) {
            try variable.map { try LaunchText.values(in: $0) } ?? [:]
        } sentence: {
            "FLAGMENU_LAUNCH \($0.asSentence)"
        }
        for argument in arguments {
            let pair = try CommandFailure.converting(to: .usage) {
                try LaunchText.pair(argument)
            } sentence: {
                "--launch \($0.asSentence)"
            }
            values[pair.0] = pair.1
        }
        return values
    }
}
