import FlagModel
import Platform

extension OverrideStore {
    /// Why the next write would fail or could not be undone, as far as a check without writing can tell; `nil` if no
    /// cause was found.
    ///
    /// The override file only needs to be readable, as a write replaces it.
    public var writeBlocker: StorageError? {
        do throws(StorageError) {
            let place = try place()
            if let kind = place.kind, kind != .regular { throw .notAFile(path, kind) }
            switch StoredContent(path, files: files) {
            case .unreadable(let error): throw error
            case .newerFormat(let format, _): throw .newerFormat(path, format: format)
            case .sound, .corrupt: break
            }
            try checkFolder(of: place)
            try checkLock(place.lock)
            try check(place.history)
            return nil
        } catch {
            return error
        }
    }

    /// Throws an error if no file can be created in the store's folder. For a missing folder, checks the nearest
    /// existing folder above it.
    private func checkFolder(of place: StorePlace) throws(StorageError) {
        guard let (folder, cause) = Folders.blocker(toWritingIn: place.folder, files: files) else { return }
        throw StorageError(
            code: .readOnly, path: path,
            sentence:
                "\(cause.text): the folder of \(StorageError.quotedName(path)) is not writable. Overrides that are "
                + "there stay in use. Change the permissions of \(folder), or name another folder with --store. (\(path))"
        )
    }

    private func checkLock(_ lock: String) throws(StorageError) {
        let kind: FileStatus.Kind?
        do throws(SystemError) {
            kind = try files.statusIfPresent(lock)?.kind
            if kind == .regular {
                _ = try OpenFile(lock, flags: O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, files: files)
            }
        } catch {
            throw .opening(lock, toWrite: path, error)
        }
        if let kind, kind != .regular { throw .notAFile(lock, kind, toWrite: path) }
    }

    private func check(_ history: HistoryFile) throws(StorageError) {
        guard let kind = history.kind else { return }
        // Devices are not opened, because opening a device may have an effect.
        guard kind == .regular || kind == .link else { throw history.blocker(SystemError(call: "open", code: EINVAL)) }
        do throws(SystemError) {
            _ = try OpenFile(history.path, flags: O_RDWR | O_APPEND | O_NONBLOCK | O_NOCTTY, files: files)
        } catch {
            throw history.blocker(error)
        }
    }
}
