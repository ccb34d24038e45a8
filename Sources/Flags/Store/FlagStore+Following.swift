import FlagRemote
import FlagStorage
import Logging
import Synchronization

// What other processes change.
extension FlagStore {
    /// First the watch, then the reading: what changes in between is told, not lost.
    package func follow() {
        guard let overrides else { return }
        do throws(StorageError) {
            try remote.watch()
            let watch = try overrides.watch { [weak self] in self?.readOverrides() }
            self.watch.withLock { $0 = watch }
        } catch {
            state.withLock { $0.watchProblem = "\(error)" }
            logger.warning("Overrides changed while the app runs show at its next start: \(error)")
        }
        readOverrides()
    }

    /// Ends the watches.
    package func stopFollowing() {
        watch.withLock { watch in
            watch?.cancel()
            watch = nil
        }
        remote.endWatch()
    }
}
