package import FlagModel
package import FlagRemote
package import FlagStorage
import Synchronization

// A tester's changes to evaluation contexts and conditions. They are stored with the overrides.
extension FlagStore {
    /// Why a tester's change to a context cannot be made.
    package enum ContextChangeError: Error {
        /// The source cannot be evaluated for the changed context.
        case source(SourceError)
        /// The change cannot be stored.
        case storage(StorageError)
    }

    /// Stores a tester's change to a context, and applies it. Values that are cached for the new context are in use
    /// immediately; others must be fetched.
    package func changeContext(_ change: ContextChange) throws(ContextChangeError) -> StoreCommit {
        openRemote()
        guard let overrides else { throw .storage(closedError) }
        let contexts = overrides.read().table.contexts
        let edit = try Result { () throws(SourceError) in try remote.edit(change, in: contexts) }
            .mapError(ContextChangeError.source).get()
        return try Result { () throws(StorageError) in
            try whileChanging { () throws(StorageError) in
                let commit = try overrides.apply([edit])
                receive(commit, isContextRequested: true)
                return commit
            }
        }.mapError(ContextChangeError.storage).get()
    }

    /// Makes a change, which is written and then received. The watch may read what is written first; it leaves new
    /// contexts to the change, so that observers learn about them before the change returns.
    package func whileChanging<Result, Failure: Error>(
        _ change: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        changeCount.add(1, ordering: .sequentiallyConsistent)
        defer {
            changeCount.subtract(1, ordering: .sequentiallyConsistent)
            // Those that the watch has left since.
            replaceContexts(isRequested: false)
        }
        return try change()
    }

    /// Evaluates the sources for the contexts that are in use now. Called without a lock.
    ///
    /// - Parameter isRequested: whether the caller itself reports the result to the user.
    func replaceContexts(isRequested: Bool) {
        let contents = contents
        remote.replaceContexts(with: contents.contexts, at: contents.revision, isRequested: isRequested)
    }
}
