import ArgumentParser

/// The layer that a command reads or changes, by its name on the command line.
enum LayerChoice: String, CaseIterable, ExpressibleByArgument {
    case override, team
}

/// How long a team's value stays, such as `2h`.
struct Lifetime: ExpressibleByArgument {
    let duration: Duration

    /// Parses a whole number and a unit: s, m, h or d.
    init?(argument: String) {
        guard let unit = argument.last, let factor = ["s": 1, "m": 60, "h": 3_600, "d": 86_400][unit],
            let count = Int(argument.dropLast()), 1...10_000 ~= count
        else { return nil }
        duration = .seconds(count * factor)
    }
}

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

    func validate(for layer: LayerChoice) throws {
        guard layer == .override || time == nil else {
            throw ValidationError("--wait is for overrides of this machine, not for --layer team.")
        }
    }
}

/// The help for `--matching`.
enum FilterHelp {
    static let text = """
        A flag must match every word and condition of the filter. A word matches if the key, title, description or value \
        contains it, in any case. Conditions: is:STATE, type:TYPE, cat:CATEGORY, layer:LAYER, value:>10, value:TEXT. ! excludes, as in !WORD and \
        !is:STATE; quotes keep spaces.
        """
}
