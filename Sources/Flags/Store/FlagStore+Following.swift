import FlagRemote
import FlagStorage
import Logging
import Synchronization

// Changes of other processes.
extension FlagStore {
    /// Watches first and reads then: changes in between are reported, not lost.
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
