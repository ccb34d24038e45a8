/// The part of watching that differs between systems: a descriptor that becomes readable when something on a route
/// changes.
protocol ChangeNotifier: Sendable {
    /// For `poll`.
    var descriptor: Int32 { get }

    /// Watches a route instead of the one before.
    ///
    /// - Throws: when no stop can be watched, or one that is there cannot.
    mutating func watch(_ route: WatchRoute) throws(SystemError)

    /// Takes all news that has arrived.
    mutating func drain() -> ChangeNews

    /// Ends watching; the value is of no use afterwards.
    func close()
}

/// What news meant.
struct ChangeNews: Sendable, Equatable {
    /// A name on the route changed.
    var isChanged = false
    /// Something in a folder of the route changed, and the system does not say what.
    var isVague = false
    /// A folder on the route went, or news was lost: everything on it must be watched anew.
    var isRouteLost = false

    /// `true` when there is nothing to do.
    var isEmpty: Bool { !isChanged && !isVague && !isRouteLost }
}
