import ArgumentParser
import FlagModel

/// `flagmenu fetch`.
struct FetchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Read remote values now and keep them for activation.",
        usage: "flagmenu fetch [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu fetch && flagmenu activate

            Until activate, every command and menu goes on with the values that were active.
            """)

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options)
        let files = RemoteFiles(settings)
        let result = Result { () throws(CommandFailure) in try files.fetch() }
        // Credentials may have travelled however it ended.
        files.services.takeWarnings().forEach(StandardError.warn)
        // Also where nothing can be had: until when a service wants to be left alone is for the next run to know.
        let unkept = files.keep()
        let fetched = try result.get()
        let problems = fetched.problems + [unkept].compactMap { $0 }
        problems.forEach(StandardError.warn)
        let differences = fetched.differences
        if settings.isJSON {
            JSONOutput.object([
                ("waiting", .array(differences.map(\.json))),
                ("problems", .array(problems.map(JSONOutput.string))),
            ]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(differences)
            StandardError.say(unkept == nil ? Self.sentence(fetched) : Self.unkeptSentence(fetched))
        }
        // What was said above is all there is to say; a script has to know that some values are older than it believes.
        if let failure = fetched.failure { throw CommandFailure(failure, "") }
        // Whoever goes on with activate would find nothing.
        if unkept != nil { throw CommandFailure(.store, "") }
    }

    /// For where nothing of it could be kept, so that it is gone with this run.
    private static func unkeptSentence(_ fetched: RemoteFiles.Fetched) -> String {
        let count = fetched.firstCount ?? fetched.differences.count
        let what =
            fetched.firstCount == nil
            ? count.counted("value differs", "values differ") : count.counted("value was", "values were") + " read"
        return "Fetched: \(what), but nothing could be kept, so flagmenu activate will find nothing."
    }

    private static func sentence(_ fetched: RemoteFiles.Fetched) -> String {
        if let count = fetched.waitingCount {
            let what =
                count > 0 ? count.counted("value waits", "values wait") : "other titles, options or conditions wait"
            return "Fetched: \(what) for flagmenu activate."
        }
        guard let count = fetched.firstCount else { return "Fetched: nothing has changed." }
        return "Fetched for the first time: \(count.counted("value is", "values are")) in use."
    }
}

/// `flagmenu activate`.
struct ActivateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate", abstract: "Make fetched remote values the ones that apps read.",
        usage: "flagmenu activate [<options>]",
        discussion: """
            EXAMPLE:
              flagmenu activate
            """)

    @OptionGroup var options: GlobalOptions

    func run() throws {
        let settings = try Settings(options)
        let files = RemoteFiles(settings)
        let activated = try files.activate()
        let differences = activated ?? []
        let unkept = files.keep()
        if let unkept { StandardError.warn(unkept) }
        if settings.isJSON {
            JSONOutput.object([("activated", .array(differences.map(\.json)))]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(differences)
            StandardError.say(
                unkept == nil ? Self.sentence(activated) : "Not activated: the values that were active stay in use.")
        }
        // The next run goes on with what was active before.
        if unkept != nil { throw CommandFailure(.store, "") }
    }

    private static func sentence(_ activated: [ValueDifference]?) -> String {
        guard let activated else { return "No fetched values were waiting." }
        return activated.isEmpty
            ? "Activated: no value changed, but titles, options or conditions did."
            : "Activated: \(activated.count) changed."
    }
}
