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
        (fetched.problems + [unkept].compactMap { $0 }).forEach(StandardError.warn)
        let differences = fetched.differences
        if settings.isJSON {
            JSONOutput.object([
                ("waiting", .array(differences.map(\.json))),
                ("problems", .array(fetched.problems.map(JSONOutput.string))),
            ]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(differences)
            StandardError.say(Self.sentence(fetched))
        }
        // What was said above is all there is to say; a script has to know that some values are older than it believes.
        if !fetched.problems.isEmpty { throw CommandFailure(.remote, "") }
        // Whoever goes on with activate would find nothing.
        if unkept != nil, fetched.hasUpdate || fetched.firstCount > 0 { throw CommandFailure(.store, "") }
    }

    private static func sentence(_ fetched: RemoteFiles.Fetched) -> String {
        if let count = fetched.waitingCount {
            let what =
                count > 0 ? count.counted("value waits", "values wait") : "other titles, options or conditions wait"
            return "Fetched: \(what) for flagmenu activate."
        }
        guard fetched.firstCount > 0 else { return "Fetched: nothing has changed." }
        return "Fetched for the first time: \(fetched.firstCount.counted("value is", "values are")) in use."
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
        if let problem = files.keep() { StandardError.warn(problem) }
        if settings.isJSON {
            JSONOutput.object([("activated", .array(differences.map(\.json)))]).print()
        } else if !settings.isQuiet {
            ValueDifference.tell(differences)
            StandardError.say(Self.sentence(activated))
        }
    }

    private static func sentence(_ activated: [ValueDifference]?) -> String {
        guard let activated else { return "No fetched values were waiting." }
        return activated.isEmpty
            ? "Activated: no value changed, but titles, options or conditions did."
            : "Activated: \(activated.count) changed."
    }
}
