import FlagRemote
import FlagStorage
import Logging
import Synchronization

// Changes of other processes.
extension FlagStore {
    /// Watches the override file and the sources' files, and then reads the overrides. In this order, no change is
    /// missed.
    package func startWatching() {
        guard let overrides else { return }
        remote.watch()
        do throws(StorageError) {
            let watch = try overrides.watch(omitsOwnWrites: true) { [weak self] in self?.readOverrides() }
            state.withLock { $0.watch = watch }
        } catch {
            replaceContents(.watch) { contents in
                contents.watchError = "\(error)"
                return []
            }
            logger.warning("Overrides changed while the app runs show at its next start: \(error)")
        }
        readOverrides()
    }

    /// Stops watching files.
    package func stopUpdates() {
        state.withLock { $0.watch }?.cancel()
        remote.endWatch()
    }
}
