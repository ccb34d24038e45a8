/// The state of a ``DirectoryWatch``: the watched route, and the last status of the file.
struct WatchState: Sendable {
    let path: String
    /// Whether the path is a folder, whose names are watched.
    let isFolder: Bool
    let files: FileOperations
    /// Whether this process put the file in place, so that the rename need not be reported.
    let isOwnFile: @Sendable () -> Bool
    let onChange: @Sendable () -> Void
    private(set) var route: WatchRoute?
    /// The status of the file when it was last checked.
    private(set) var status: FileStatus?
    /// Whether the system reports changes; if not, the loop polls.
    private(set) var isArmed = false

    /// The maximum number of attempts to watch a route that changes meanwhile.
    private static let attemptLimit = 5

    private var currentRoute: WatchRoute { WatchRoute(to: path, namesIn: isFolder, files: files) }

    /// Uses what the notifier has reported for the watch with a number, or polls; returns whether the file may have
    /// changed.
    mutating func readPendingChanges(
        _ updates: PendingChanges?, _ notifier: inout ChangeNotifier?, as number: Int
    ) -> Bool {
        guard isArmed, let updates else {
            arm(&notifier, as: number)
            return isStatusNew()
        }
        if updates.isRouteLost || route != currentRoute { arm(&notifier, as: number) }
        let isNew = isStatusNew()
        let isOwn = isOwnFile()
        if isOwn, !updates.isRouteLost, !updates.isOtherThanRename { return false }
        // A change on the route is reported even if the status is the same: two writes within one tick of the file
        // system's clock may have the same status.
        return updates.isVague ? isNew : true
    }

    /// Watches the current route. If that fails, the next poll retries.
    private mutating func arm(_ notifier: inout ChangeNotifier?, as number: Int) {
        isArmed = false
        for _ in 0..<Self.attemptLimit where !isArmed {
            let route = currentRoute
            guard (try? notifier?.watch(route, for: number)) != nil else { break }
            (self.route, isArmed) = (route, route == currentRoute)
        }
        if !isArmed { notifier?.removeWatches(of: number) }
    }

    /// Updates the status of the file, and returns whether it has changed.
    private mutating func isStatusNew() -> Bool {
        let newStatus = DurableFile.status(of: path, files: files)
        defer { status = newStatus }
        return newStatus != status
    }
}
