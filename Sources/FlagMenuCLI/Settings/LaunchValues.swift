import FlagModel

/// Values of one run, from `--launch KEY=VALUE` and `FLAGMENU_LAUNCH`; they override all other values and are never
/// saved.
enum LaunchValues {
    /// Reads the values from both origins. Arguments override the environment.
    static func read(arguments: [String], variable: String?) throws(CommandFailure) -> FlagTable<String> {
        var values =
            try variable.map { text throws(CommandFailure) in
                try naming("FLAGMENU_LAUNCH") { () throws(LaunchTextError) in try LaunchText.values(in: text) }
            } ?? [:]
        for argument in arguments {
            let (key, value) = try naming("--launch") { () throws(LaunchTextError) in try LaunchText.pair(argument) }
            values[key] = value
        }
        return values
    }

    /// Adds the origin of an invalid text to its error.
    private static func naming<Result>(
        _ origin: String, _ body: () throws(LaunchTextError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(LaunchTextError) {
            return try body()
        } catch {
            throw CommandFailure(.usage, "\(origin) \(error.sentence.asSentence)")
        }
    }
}
