package import FlagModel
import FlagStorage
import Flags

/// Reads the values that `diff` compares, from a document, a store or a source.
package enum ComparedValues {
    /// Reads the values behind an argument of the command.
    ///
    /// - Parameter other: the other argument; both must not get the same credentials at different hosts.
    /// - Throws: an error if the values cannot be read. Cached values are not used instead.
    package static func read(
        _ name: String, comparedWith other: String, _ options: RunOptions
    ) throws(CommandFailure) -> ValueTable {
        var sourceOptions = options
        sourceOptions.source = [name]
        let settings = try Settings(sourceOptions, besides: [other])
        let path = FilePath.resolve(name, in: settings.environment.workingDirectory)
        if let overrides = try overrides(at: path, called: name) { return overrides }
        let run = try RunStore(settings, usesCache: false)
        run.openRemote(isFromCache: true)
        run.fetch(.all)
        run.services.warnings.all.forEach(StandardError.warn)
        let state = run.flags.remoteReading.sources.activated
        for source in state.sources {
            if let failure = source.failure { throw CommandFailure(failure, source.reason(isWhole: true) ?? "") }
        }
        let snapshot = state.snapshot()
        return ValueTable.joined([snapshot.values, snapshot.defaults])
    }

    /// The overrides in a store folder, an override file or an export; `nil` if the path is none of these.
    private static func overrides(at path: String, called name: String) throws(CommandFailure) -> ValueTable? {
        let storePath = OverrideStore.path(in: path)
        let isFolder = (try? DurableFile.exists(storePath)) == true
        let file = isFolder ? storePath : path
        // An unreadable file causes no error here: it is read as a source later, and that reports the error.
        guard let bytes = try? DurableFile.read(file), isFolder || ImportedValues.isOfOverrides(bytes) else {
            return nil
        }
        let values = try CommandFailure.converting(to: .usage) {
            try ImportedValues.read(bytes, from: name, at: .system)
        }
        return ValueTable(values.sortedByKey.map { (FlagText($0.key), FlagText($0.value)) })
    }
}
