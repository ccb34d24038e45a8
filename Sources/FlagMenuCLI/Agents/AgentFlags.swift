import FlagAgents
import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import FlagWorkspace
import Flags
import Synchronization

/// The flags that an agent reads and changes: a store that stays open and follows files, services, apps and other
/// writers, as that of `watch` does.
///
/// If it cannot be opened, the next call tries again: a person may give the permission that is missing while the agent
/// runs.
final class AgentFlags: Sendable {
    /// How long opening waits for services without cached values.
    private static let startLimit = Duration.seconds(5)

    private let options: RunOptions
    private let environment: Environment
    /// The store once it is open, and what follows changes as long as it is referenced.
    private let opened = Mutex<(run: RunStore, followers: [any Sendable])?>(nil)
    /// The author of changes: the client of the call that runs. Only one call at a time changes something.
    private let author = Mutex("")

    /// - Parameter writes: whether anything may be changed.
    init(_ options: RunOptions, _ environment: Environment, writes: Bool) {
        var options = options
        options.readOnly = !writes
        // Nothing else may reach the streams, and errors are the responses.
        (options.json, options.quiet) = (false, true)
        (self.options, self.environment) = (options, environment)
    }

    /// Performs a call.
    ///
    /// - Parameters:
    ///   - onChange: called after each change of a flag.
    ///   - isAwaited: whether somebody still waits for the response.
    func perform(
        _ call: AgentCall, onChange: @escaping @Sendable () -> Void, while isAwaited: @escaping () -> Bool
    ) -> Result<JSONOutput, InvalidText> {
        do {
            let run = try open(onChange)
            if call.tool.isWriting { author.withLock { $0 = call.author } }
            // A change that another program has just made may not have been noticed yet.
            run.flags.readOverrides()
            let tools = AgentTools(workspace: Workspace(run), call: call, isAwaited: isAwaited)
            do {
                let response = try tools.response()
                if call.tool.isWriting { run.flags.readOverrides() }
                return .success(response)
            } catch let error as CommandFailure where error.status == .noMatch {
                // Without remote values it is not known whether the key exists.
                throw tools.workspace.missingValues ?? error
            }
        } catch {
            return .failure(InvalidText(sentence: CommandFailure(error)?.sentence ?? "\(error)"))
        }
    }

    /// Opens the flags, unless they are open.
    @discardableResult func open(_ onChange: @escaping @Sendable () -> Void) throws -> RunStore {
        try opened.withLock { opened in
            if var run = opened?.run {
                run.recoverAgain()
                return run
            }
            let settings = try Settings(options, environment: environment)
            try settings.requireFlags()
            guard !settings.sources.compactMap(\.path).contains(where: PipeSource.isPipe) else {
                throw CommandFailure(.usage, "Standard input has an agent's messages; name a file as the source.")
            }
            let run = try RunStore(settings, isPrompting: false) { [self] in author.withLock { $0 } }
            run.openRemote()
            run.flags.startWatching()
            run.fetch(.withoutValues, within: Self.startLimit)
            run.fetchTeam(within: Self.startLimit)
            let observation = run.flags.observe { change in if !change.layers.isEmpty { onChange() } }
            let follower = AppsFollower(settings.apps) { run.flags.listDeclared($0.declared) }
            follower.start()
            opened = (run, [observation, follower, run.followUpdates()])
            return run
        }
    }
}
