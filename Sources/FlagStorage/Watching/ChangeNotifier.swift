/// The system-specific part of watching: reports changes of the files and folders on a route.
protocol ChangeNotifier: Sendable {
    /// The descriptor for `poll`, which is readable if there are changes.
    var descriptor: Int32 { get }

    /// Watches a route instead of the previous one.
    ///
    /// - Throws: an error if the folders of all stops are missing, or an existing folder of a stop cannot be watched.
    mutating func watch(_ route: WatchRoute) throws(SystemError)

    /// Reads all pending changes, and returns them merged.
    mutating func drain() -> PendingChanges

    /// Ends watching; the value must not be used afterwards.
    func close()
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
