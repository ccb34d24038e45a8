import ArgumentParser
import FlagModel
import FlagRemote
import FlagStorage
import FlagWorkspace

/// The layer that a command reads or changes, by its name on the command line.
enum LayerChoice: String, CaseIterable, ExpressibleByArgument {
    case override, team
}

/// The option of commands that change overrides or the team's values.
struct LayerOptions: ParsableArguments {
    @Option(help: "override (this machine, the default) or team (everyone who uses the team).")
    var layer = LayerChoice.override

    var isTeam: Bool { layer == .team }

    /// Rejects an option that the team's values do not have.
    func reject(_ option: String, if isUsed: Bool) throws {
        guard !isTeam || !isUsed else {
            throw ValidationError("\(option) is for overrides of this machine, not for --layer team.")
        }
    }
}

/// The options that say when an override ends by itself.
struct EndOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this time by itself, such as 30m, 2h or 3d.", valueName: "time"),
        transform: { try EndOptions.duration($0) })
    var duration: OverrideLife?

    @Option(
        help: ArgumentHelp("End at 18:00, '2026-12-01 18:00', or a time of RFC 3339.", valueName: "time"),
        transform: { try EndOptions.moment($0) })
    var until: OverrideLife?

    @Flag(help: "End when the processes of the app that run now have ended.")
    var untilRestart = false

    @Flag(help: "Keep the end that the override already has, which a new value removes otherwise.")
    var keepEnd = false

    private var lives: [OverrideLife] {
        [duration, until, untilRestart ? .untilRestart : nil, keepEnd ? .kept : nil].compactMap { $0 }
    }

    func validate() throws {
        guard lives.count <= 1 else {
            throw ValidationError("Use only one of --for, --until, --until-restart and --keep-end.")
        }
    }

    /// Returns the edits that say when the override of a flag ends; none if no option says so.
    ///
    /// - Throws: an error if overrides are to end with an app, but none runs.
    func edits(in workspace: Workspace) throws -> (String) -> [OverrideEdit] {
        guard !untilRestart || workspace.store.isAppRunning else {
            throw CommandFailure(
                .usage,
                "--until-restart needs a running app, and no app with the id \(workspace.settings.app) has announced "
                    + "itself here. Nothing was changed. Start the app, or use --for or --until.")
        }
        return { key in lives.prefix(1).map { .end(key: key, $0) } }
    }

    private static func duration(_ text: String) throws -> OverrideLife {
        guard let duration = OverrideLife.duration(text) else {
            throw ValidationError("A duration is a whole number and a unit, such as 30m, 2h or 3d.")
        }
        return .lasting(duration)
    }

    private static func moment(_ text: String) throws -> OverrideLife {
        let now = SourceClock.system.now()
        guard let time = OverrideLife.time(text.trimmed, at: now, utcOffset: \.localZone.offset) else {
            throw ValidationError("A time is such as 18:00, '2026-12-01 18:00' or 2026-12-01T18:00:00Z.")
        }
        guard time > now else { throw ValidationError("The time has passed.") }
        return .until(time)
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

    /// Reads the number of `--wait=2` itself: the parser ignores it if another option follows, and takes `--wait=abc`
    /// for `--wait` without a number.
    mutating func validate() throws {
        let option = "--wait="
        for argument in CommandLine.arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix(option) {
            let text = String(argument.dropFirst(option.count))
            guard let typed = WaitTime(argument: text) else {
                throw ValidationError("The value '\(text)' is invalid for '--wait <seconds>'; 3600 is the most.")
            }
            time = typed
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
