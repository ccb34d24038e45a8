import ArgumentParser

/// How long a command waits until running apps use a change, in seconds.
struct WaitTime: ExpressibleByArgument, CustomStringConvertible {
    let seconds: Double

    /// The time without a number. An app that reads the flag again takes milliseconds.
    static let standard = WaitTime(seconds: 5)

    var description: String { "\(Int(seconds)) s" }

    private init(seconds: Double) { self.seconds = seconds }

    /// Parses a number of seconds, at most an hour.
    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds <= 3_600 else { return nil }
        self.seconds = seconds
    }
}

/// The option of commands that change overrides.
struct WaitOptions: ParsableArguments {
    @Option(
        name: .customLong("wait"), defaultAsFlag: WaitTime.standard,
        help: ArgumentHelp(
            "Wait until every running app that declares the flag uses the change; else exit with 6.",
            valueName: "seconds"))
    var time: WaitTime?

    /// Rejects `--wait=abc`, which the parser takes for `--wait` without a number.
    func validate() throws {
        let option = "--wait="
        for argument in CommandLine.arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix(option) {
            let text = String(argument.dropFirst(option.count))
            guard WaitTime(argument: text) == nil else { continue }
            throw ValidationError("The value '\(text)' is invalid for '--wait <seconds>'; 3600 is the most.")
        }
    }
}
