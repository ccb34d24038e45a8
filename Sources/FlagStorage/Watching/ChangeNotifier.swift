/// The system-specific part of watching: a descriptor that becomes readable if something on a route changes.
protocol ChangeNotifier: Sendable {
    /// For `poll`.
    var descriptor: Int32 { get }

    /// Watches a route instead of the previous one.
    ///
    /// - Throws: an error if no stop can be watched, or an existing one cannot.
    mutating func watch(_ route: WatchRoute) throws(SystemError)

    /// Takes all pending changes.
    mutating func drain() -> ChangeNews

    /// Ends watching; the value must not be used afterwards.
    func close()
}

/// Changes on the route.
struct ChangeNews: Sendable, Equatable {
    /// A name on the route changed.
    var isChanged = false
    /// Something in a folder of the route changed; the system does not report what.
    var isVague = false
    /// A folder on the route was removed, or events were lost: everything on it must be watched again.
    var isRouteLost = false

    /// `true` if nothing changed.
    var isEmpty: Bool { !isChanged && !isVague && !isRouteLost }
}
