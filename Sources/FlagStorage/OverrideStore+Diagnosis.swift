import FlagModel
import Platform

extension OverrideStore {
    /// Why the next write would fail or could not be undone, as far as that shows without writing; `nil` if it would
    /// succeed.
    ///
    /// The override file only needs to be readable: it is replaced, not written to.
    public var writingObstacle: StorageError? {
        do throws(StorageError) {
            let place = try place()
            if let kind = place.kind, kind != .regular { throw .notAFile(path, kind) }
            switch StoredContent(path, files: files) {
            case .unreadable(let error): throw error
            case .present(.newerFormat(let format, _), _): throw .newerFormat(path, format: format)
            case .missing, .present: break
            }
            try checkFolder(of: place)
            try checkLock(place.lock)
            try check(place.history)
            return nil
        } catch {
            return error
        }
    }

    /// The folder, or the nearest existing one above it, must accept new files and names.
    private func checkFolder(of place: StorePlace) throws(StorageError) {
        guard let (folder, cause) = Folders.obstacle(toWritingIn: place.folder, files: files) else { return }
        throw StorageError(
            code: .readOnly, path: path,
            sentence:
                "\(cause.text): the folder of \(StorageError.quotedName(path)) is not writable. Overrides that are "
                + "there stay in use. Change the permissions of \(folder), or name another folder with --store. (\(path))"
        )
    }

    private func checkLock(_ lock: String) throws(StorageError) {
        guard let status = try? files.statusIfPresent(lock) else { return }
        guard status.kind == .regular else { throw .notAFile(lock, status.kind, toWrite: path) }
        do throws(SystemError) {
            _ = try OpenFile(lock, flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, files: files)
        } catch {
            throw .opening(lock, toWrite: path, error)
        }
    }

    private func check(_ history: HistoryFile) throws(StorageError) {
        guard let kind = history.kind else { return }
        // Opened only if that has no effect: not every device is harmless.
        guard kind == .regular || kind == .link else { throw history.obstacle(SystemError(call: "open", code: EINVAL)) }
        do throws(SystemError) {
            _ = try OpenFile(history.path, flags: O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY, files: files)
        } catch {
            throw history.obstacle(error)
        }
    }
}
