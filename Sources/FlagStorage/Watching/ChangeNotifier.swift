import Platform

/// What is the same on every system. Each has its own `ChangeNotifier`, which reports changes of the files and folders
/// on a route.
extension ChangeNotifier {
    /// Creates a notifier.
    package typealias Source = @Sendable () throws(SystemError) -> ChangeNotifier

    /// Watches a route instead of the previous one.
    ///
    /// - Throws: an error if the folders of all stops are missing, or an existing folder of a stop cannot be watched.
    mutating func watch(_ route: WatchRoute) throws(SystemError) {
        removeWatches()
        var isAnyStopWatched = false
        for stop in route.stops {
            if try add(stop.folder, names: [stop.name]) { isAnyStopWatched = true }
        }
        guard isAnyStopWatched else { throw SystemError(call: Self.call, code: ENOENT) }
        // The error is ignored: a folder that may be searched but not read cannot be watched, but is rarely moved.
        for folder in route.ancestors { _ = try? add(folder, names: []) }
    }
}

/// The changes on a route since they were last read.
struct PendingChanges: Sendable, Equatable {
    /// Whether a name on the route changed.
    var isChanged = false
    /// Whether a name on the route changed otherwise than by a rename to it, such as a file that was written in place.
    var isOtherThanRename = false
    /// Whether a folder of the route changed, and the system does not report whether the change is on the route.
    var isVague = false
    /// Whether a folder on the route was removed or events were lost, so that the route must be watched again.
    var isRouteLost = false

    /// Whether nothing changed.
    var isEmpty: Bool { !isChanged && !isVague && !isRouteLost }
}
