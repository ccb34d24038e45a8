/// The system-specific part of watching: reports changes of the files and folders on a route.
protocol ChangeNotifier: Sendable {
    /// The descriptor for `poll`, which is readable if there are changes.
    var descriptor: Int32 { get }

    /// Watches a route instead of the previous one.
    ///
    /// - Throws: an error if all stops are missing, or an existing one cannot be watched.
    mutating func watch(_ route: WatchRoute) throws(SystemError)

    /// Reads all pending changes, and returns them merged.
    mutating func drain() -> PendingChanges

    /// Ends watching; the value must not be used afterwards.
    func close()
}

/// The changes on a route since the last time.
struct PendingChanges: Sendable, Equatable {
    /// Whether a name on the route changed.
    var isChanged = false
    /// Whether something in a folder of the route changed that may not be on the route; the system does not say.
    var isVague = false
    /// Whether a folder on the route was removed or events were lost, so that the route must be watched again.
    var isRouteLost = false

    /// Whether nothing changed.
    var isEmpty: Bool { !isChanged && !isVague && !isRouteLost }
}
