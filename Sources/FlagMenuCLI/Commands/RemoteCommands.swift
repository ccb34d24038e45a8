import ArgumentParser
import FlagModel
import FlagRemote
import Flags

/// `flagmenu fetch`.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "fetch", abstract: "Fetch remote values now and cache them for activation.",
        usage: "flagmenu fetch [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu fetch && flagmenu activate

            Until activate, every command and menu uses the active values.
            """)

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options)
        let fetched = try Fetched(settings)
        let errors = fetched.errors + [fetched.cacheError].compactMap { $0 }
        errors.forEach(StandardError.warn)
        if settings.isJSON {
            JSONOutput.object([
                ("waiting", .array(fetched.differences.map(\.json))),
                ("issues", .array(errors.map(JSONOutput.string))),
            ]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(fetched.differences)
            StandardError.say(fetched.sentence)
        }
        // Everything was printed already; the exit code shows a script that some values are older than it expects.
        if let failure = fetched.failure { throw CommandFailure(failure, "") }
        // `activate` would find nothing.
        if fetched.cacheError != nil { throw CommandFailure(.store, "") }
    }
}

/// The result of a fetch: values that wait, and why sources have none.
private struct Fetched {
    /// How many values are active at once, as there were none before; `nil` if there were some.
    private let firstCount: Int?
    private let waitingCount: Int?
    let differences: [ValueDifference]
    let errors: [String]
    /// The exit code of a command that needs all sources; `nil` if they have responded.
    let failure: ExitStatus?
    /// Why the response cannot be cached, so that it is lost after this run.
    let cacheError: String?

    /// Fetches the sources. Responses are cached even if other sources fail.
    ///
    /// - Throws: a sentence if none can be read; active values stay in use.
    init(_ settings: Settings) throws(CommandFailure) {
        let run = try RunStore(settings)
        run.flags.openRemote(isFromCache: true)
        let hadValues = run.flags.remote.current.hasValues
        run.fetch(.all)
        // Credentials may have been sent in any case.
        run.services.takeWarnings().forEach(StandardError.warn)
        let reading = run.flags.remoteReading
        let sources = reading.sources.sources
        cacheError = run.flags.remote.save()
        try run.requireValues(in: reading.sources)
        errors = reading.sources.errors(at: SourceClock.system.now())
        // A file that cannot be read is treated as a failed source, as long as there are values of it.
        let isRequested = sources.contains { $0.error != nil && ($0.isLocal || $0.failure == .remote) }
        let status: ExitStatus = isRequested ? .remote : .usage
        if !sources.isEmpty, errors.count == sources.count {
            throw CommandFailure(status, errors.joined(separator: " "))
        }
        failure = errors.isEmpty ? nil : status
        firstCount = hadValues || sources.isEmpty ? nil : reading.snapshot.values.keys.count
        (differences, waitingCount) = (reading.differences, reading.waiting?.count)
    }

    var sentence: String {
        guard cacheError == nil else {
            let what =
                firstCount.map { $0.counted("value was", "values were") + " read" }
                ?? differences.count.counted("value differs", "values differ")
            return "Fetched: \(what), but not cached, so flagmenu activate will find nothing."
        }
        if let waitingCount {
            let what =
                waitingCount > 0
                ? waitingCount.counted("value waits", "values wait") : "other titles, options or conditions wait"
            return "Fetched: \(what) for flagmenu activate."
        }
        guard let firstCount else { return "Fetched: nothing has changed." }
        return "Fetched for the first time: \(firstCount.counted("value is", "values are")) in use."
    }
}

/// `flagmenu activate`.
struct ActivateCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "activate", abstract: "Make fetched remote values the ones that apps read.",
        usage: "flagmenu activate [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu activate
              flagmenu activate --dry-run --json
            """)

    @OptionGroup var options: GlobalOptions

    @ArgumentParser.Flag(help: "Only show what would change.")
    var dryRun = false

    func run() throws {
        let settings = try Settings(options)
        if dryRun { return try tellPlan(settings) }
        if let refusal = settings.readOnlyRefusal { throw CommandFailure(settings.refusalStatus, refusal) }
        let run = try RunStore(settings)
        run.flags.openRemote()
        let before = run.flags.remoteReading
        try run.requireValues(in: before.sources)
        let differences = before.differences
        run.flags.remote.activate()
        let activated = before.sources.hasUpdate ? differences : nil
        let unkept = run.flags.remote.save()
        if let unkept { StandardError.warn(unkept) }
        if settings.isJSON {
            JSONOutput.object([("activated", .array(differences.map(\.json)))]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(differences)
            StandardError.say(
                unkept == nil ? Self.sentence(activated) : "Not activated: the values that were active stay in use.")
        }
        // The next run continues with the earlier values.
        if unkept != nil { throw CommandFailure(.store, "") }
    }

    /// Prints what would change, and changes nothing.
    private func tellPlan(_ settings: Settings) throws {
        let run = try RunStore(settings)
        run.flags.openRemote()
        let reading = run.flags.remoteReading
        try run.requireValues(in: reading.sources)
        let differences = reading.differences
        if settings.isJSON {
            JSONOutput.object([("planned", .array(differences.map(\.json)))]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(differences)
            StandardError.say(Self.planSentence(reading.sources.hasUpdate ? differences : nil))
        }
    }

    private static func planSentence(_ planned: [ValueDifference]?) -> String {
        guard let planned else { return "Nothing to activate. flagmenu fetch reads newer values." }
        return planned.isEmpty
            ? "Would activate: no value changes, but titles, options or conditions do."
            : "Would activate: \(ValueDifference.summary(planned))"
    }

    private static func sentence(_ activated: [ValueDifference]?) -> String {
        guard let activated else { return "Nothing to activate." }
        return activated.isEmpty
            ? "Activated: no value changed, but titles, options or conditions did."
            : "Activated: \(activated.count) changed."
    }
}
