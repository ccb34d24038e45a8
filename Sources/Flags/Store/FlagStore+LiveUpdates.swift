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
            let file = state.isFollowing ? state.contents.overrideFile : nil
            let soon = FlagTimestamp(seconds: remote.clock.now().seconds + 2)
            let time = [file?.table.nextEnd, file?.isUnsettled == true ? soon : nil].compactMap { $0 }.min()
            guard time != state.endTimer?.time else { return }
            state.endTimer = time.map { time in
                EndTimer(at: time, now: remote.clock.now()) { [weak self] in self?.readAfterEnd() }
            }
        }
    }

    private func readAfterEnd() {
        state.withLock { $0.endTimer = nil }
        readOverrides(ifChanged: true)
    }
}

extension StoreReading {
    /// Whether another reading may differ without a change of the file, so that one a second is due: a process with
    /// which an override ends may end, or a file that cannot be read may become readable.
    fileprivate var isUnsettled: Bool {
        if case .unreadable = condition { return true }
        return table.overrides.values.contains { $0.end?.processes != nil }
    }
}
