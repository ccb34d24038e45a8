import Platform

/// What is the same on every system. Each has its own notifier, which reports changes of the files and folders on the
/// routes of all watches.
extension ChangeNotifier {
    /// Creates a notifier.
    package typealias Source = @Sendable () throws(SystemError) -> ChangeNotifier

    /// Watches a route for the watch with a number, instead of its previous route.
    ///
    /// - Throws: an error if the folders of all stops are missing, or an existing folder of a stop cannot be watched.
    mutating func watch(_ route: WatchRoute, for number: Int) throws(SystemError) {
        removeWatches(of: number)
        var isAnyStopWatched = false
        for stop in route.stops {
            if try add(stop.folder, names: [stop.name], for: number) { isAnyStopWatched = true }
        }
        guard isAnyStopWatched else { throw SystemError(call: Self.call, code: ENOENT) }
        // The error is ignored: a folder that may be searched but not read cannot be watched, but is rarely moved.
        for folder in route.ancestors { _ = try? add(folder, names: [], for: number) }
    }
}

/// The changes on the route of a watch since they were last read.
struct PendingChanges: Sendable, Equatable {
    /// Whether a name on the route changed otherwise than by a rename to it, such as a file that was written in place.
    var isOtherThanRename = false
    /// Whether a folder of the route changed, and the system does not report whether the change is on the route.
    var isVague = false
    /// Whether a folder on the route was removed or events were lost, so that the route must be watched again.
    var isRouteLost = false
}
