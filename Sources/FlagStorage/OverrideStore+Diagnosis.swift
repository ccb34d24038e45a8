#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension OverrideStore {
    /// What would keep the next write from succeeding, as far as it shows without writing; `nil` when nothing does.
    public var writingObstacle: StorageError? {
        var folder = FilePath.folder(of: path)
        while access(folder, F_OK) != 0, folder != "/", folder != "." { folder = FilePath.folder(of: folder) }
        if access(folder, W_OK | X_OK) == 0 { return nil }
        return StorageError(
            code: .readOnly, path: path,
            sentence: "\(path) cannot be written: \(folder) may not be changed (\(String(cString: strerror(errno)))). "
                + "Overrides that are there stay in use. Change its permissions, or name another folder with --store.")
    }
}
