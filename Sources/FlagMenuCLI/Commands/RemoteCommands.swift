import ArgumentParser
import FlagModel
import FlagRemote
import FlagWorkspace
import Flags

struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "fetch", abstract: "Fetch remote values now and cache them for activation.",
        usage: "flagmenu fetch [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu fetch && flagmenu activate

            Commands and menus keep using the previously activated values until you run
            flagmenu activate.
            """)

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options.values)
        try settings.requireFlags()
        let run = try RunStore(settings)
        run.openRemote(isFromCache: true)
        let hadValues = run.flags.remote.current.hasValues
        run.fetch(.all)
        // Printed even if the fetch fails, because credentials may have been sent on an insecure connection.
        ([run.liveNotice].compactMap { $0 } + run.services.warnings.readNew()).forEach(StandardError.warn)
        let reading = run.flags.remoteReading
        let sources = reading.sources.sources
        // Responses are cached even if other sources fail.
        let cacheError = run.flags.remote.save()
        if let failure = run.missingValues(in: reading.sources) { throw failure }
        let errors = reading.sources.errors(at: SourceClock.system.now())
        // A file that cannot be read counts as a failed request, because its earlier values stay in use.
        let isRequested = sources.contains { $0.error != nil && ($0.isLocal || $0.failure == .remote) }
        let status: ExitStatus = isRequested ? .remote : .usage
        if !sources.isEmpty, errors.count == sources.count {
            throw CommandFailure(status, errors.joined(separator: " "))
        }
        let warnings = errors + [cacheError].compactMap { $0 }
        let documentIssues = reading.sources.activated.snapshot().issues.map(\.description)
        (warnings + Workspace.line(of: documentIssues)).forEach(StandardError.warn)
        if settings.isJSON {
            JSONOutput.object([
                ("waiting", .array(reading.differences.map(\.json))),
                ("issues", .array((warnings + documentIssues).map(JSONOutput.string))),
            ]).print()
        } else {
            let firstCount = hadValues || sources.isEmpty ? nil : reading.snapshot.values.keys.count
            settings.report(
                reading.differences, Self.sentence(reading, firstCount: firstCount, isCached: cacheError == nil))
        }
        // The errors were printed already. The exit code tells scripts that some values are older than expected.
        if !errors.isEmpty { throw CommandFailure(status, "") }
        // The fetched values are not cached, so they cannot be activated later.
        if cacheError != nil { throw CommandFailure(.store, "") }
    }

    /// - Parameter firstCount: the number of values after a first fetch, which also activates them; `nil` if there were
    ///   values before.
    private static func sentence(_ reading: RemoteReading, firstCount: Int?, isCached: Bool) -> String {
        guard isCached else {
            let subject =
                firstCount.map { $0.counted("value was", "values were") + " read" }
                ?? reading.differences.count.counted("value differs", "values differ")
            return "Fetched: \(subject), but not cached, so flagmenu activate will find nothing."
        }
        if let count = reading.waiting?.count {
            let subject =
                count > 0 ? count.counted("value differs", "values differ") : "titles, options or conditions differ"
            return "Fetched: \(subject). flagmenu activate activates."
        }
        guard let firstCount else { return "Fetched: nothing has changed." }
        return "Fetched for the first time: \(firstCount.counted("value is", "values are")) in use."
    }
}

struct ActivateCommand: ParsableCommand {
    static let configuration = CommandConfiguration.command(
        "activate", abstract: "Make fetched remote values the ones that apps read.",
        usage: "flagmenu activate [--dry-run] [<options>]",
        discussion: """
            EXAMPLES:
              flagmenu activate
              flagmenu activate --dry-run --json
            """)

    @ArgumentParser.Flag(help: "Only show what would change.")
    var dryRun = false

    @OptionGroup(title: "General options") var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options.values)
        try settings.requireFlags()
        if !dryRun { try settings.requireChanges() }
        let run = try RunStore(settings)
        run.openRemote()
        let reading = run.flags.remoteReading
        if let failure = run.missingValues(in: reading.sources) { throw failure }
        let differences = reading.differences
        if !dryRun { run.flags.remote.activate() }
        let saveError = dryRun ? nil : run.flags.remote.save()
        if let saveError { StandardError.warn(saveError) }
        if settings.isJSON {
            JSONOutput.object([(dryRun ? "planned" : "activated", .array(differences.map(\.json)))]).print()
        } else {
            settings.report(
                differences,
                saveError == nil
                    ? sentence(reading.sources.hasUpdate ? differences : nil)
                    : "Not activated: the values that were active stay in use.")
        }
        // The activation is not saved, so the next run would use the earlier values.
        if saveError != nil { throw CommandFailure(.store, "") }
    }

    private func sentence(_ differences: [ValueDifference]?) -> String {
        guard let differences else {
            return "Nothing to activate.\(dryRun ? " flagmenu fetch fetches newer values." : "")"
        }
        guard differences.isEmpty else {
            return "\(dryRun ? "Would activate" : "Activated"): \(ValueDifference.summary(differences))"
        }
        return dryRun
            ? "Would activate: no value changes, but titles, options or conditions do."
            : "Activated: no value changed, but titles, options or conditions did."
    }
}
