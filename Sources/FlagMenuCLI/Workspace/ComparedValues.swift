import DeveloperMenuTerminal
import FlagModel
import FlagStorage
import Flags

/// Values that `diff` compares: those of a document, a store or a source.
enum ComparedValues {
    /// Reads the values of a name on the command line.
    ///
    /// - Throws: a sentence if they cannot be read. Cached values of a source are not used instead.
    static func read(_ name: String, _ options: GlobalOptions) throws(CommandFailure) -> ValueTable {
        var own = options
        own.source = [name]
        let settings = try Settings(own)
        let path = FilePath.resolve(name, in: settings.environment.workingDirectory)
        if let overrides = try overrides(at: path, called: name) { return overrides }
        return try remoteValues(settings)
    }

    /// The overrides of a store; `nil` if there is none.
    private static func overrides(at path: String, called name: String) throws(CommandFailure) -> ValueTable? {
        let storePath = OverrideStore.path(in: path)
        let isFolder = (try? DurableFile.exists(storePath)) == true
        let file = isFolder ? storePath : path
        // What cannot be read here is read as a source, whose error says why.
        guard let bytes = try? DurableFile.read(file), isFolder || ImportedValues.isOfOverrides(bytes) else {
            return nil
        }
        do throws(ImportRefusal) {
            let values = try ImportedValues.read(bytes, from: name)
            return ValueTable(values.sorted { $0.key < $1.key }.map { (FlagText($0.key), FlagText($0.value)) })
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
    }

    /// The current values of a source.
    private static func remoteValues(_ settings: Settings) throws(CommandFailure) -> ValueTable {
        let run = try RunStore(settings, isCached: false)
        run.flags.openRemote(isFromCache: true)
        let remote = run.flags.remote
        let plan = remote.request(.all, id: remote.makeFetchID())
        if plan.isRequesting { _ = Waiting.answer { await remote.outcome(of: plan) } }
        run.services.takeWarnings().forEach(StandardError.warn)
        let state = run.flags.remoteReading.sources.activated
        for source in state.sources {
            if let failure = source.failure { throw CommandFailure(failure, source.reason(isWhole: true) ?? "") }
        }
        let snapshot = state.snapshot()
        return ValueTable.joined([snapshot.values, snapshot.defaults])
    }
}
