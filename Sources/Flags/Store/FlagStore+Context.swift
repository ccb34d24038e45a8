package import FlagModel
package import FlagRemote
package import FlagStorage

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
        let edit: OverrideEdit
        do throws(SourceError) {
            edit = try remote.edit(change, in: overrides.read().table.contexts)
        } catch {
            throw .source(error)
        }
        do throws(StorageError) {
            return try whileChanging { () throws(StorageError) in
                let commit = try overrides.apply([edit])
                receive(commit, isContextRequested: true)
                return commit
            }
        } catch {
            throw .storage(error)
        }
    }
}
