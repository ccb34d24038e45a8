import FlagRemote
import FlagStorage
import Logging
import Synchronization

// Changes of other processes.
extension FlagStore {
    /// Watches the override file and the sources' files, and then reads the overrides. In this order, no change is
    /// missed.
    package func follow() {
        guard let overrides else { return }
        do throws(StorageError) {
            try remote.watch()
            let watch = try overrides.watch { [weak self] in self?.readOverrides() }
            self.watch.withLock { $0 = watch }
        } catch {
            state.withLock { $0.watchIssue = "\(error)" }
            logger.warning("Overrides changed while the app runs show at its next start: \(error)")
        }
        readOverrides()
    }

    /// Stops watching files.
    package func stopUpdates() {
        watch.withLock { watch in
            watch?.cancel()
            watch = nil
        }
        remote.endWatch()
    }
}
