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
        state.withLock { $0.isFollowing = true }
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
        endOverrides()
        remote.endWatch()
    }

    /// Stops watching the override file.
    func endOverrides() {
        let watch = state.withLock { state in
            (state.isFollowing, state.endTimer) = (false, nil)
            return state.watch.take()
        }
        watch?.cancel()
    }

    /// Waits for the nearest end of an override: then the file is read again, and what has ended is not among its
    /// overrides any more.
    func awaitEnd() {
        state.withLock { state in
            let time = state.isFollowing ? state.contents.overrideFile?.table.nextEnd : nil
            guard time != state.endTimer?.time else { return }
            state.endTimer = time.map { time in
                EndTimer(at: time, now: remote.clock.now()) { [weak self] in self?.readAfterEnd() }
            }
        }
    }

    private func readAfterEnd() {
        state.withLock { $0.endTimer = nil }
        readOverrides()
    }
}
