/// The state of a source in a run: the server's streams, and the subscriptions that wait for them.
struct OFREPState {
    /// The streams of the newest response; `nil` before the first.
    private(set) var streams: Set<EventStreamAddress>?
    /// How long the newest response may be cached, from its `Cache-Control`; `nil` if that is not specified.
    var cacheAge: Duration?
    /// The event to send with the next request; `nil` if there is none.
    private var refetchEvent: RefetchEvent?
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastListener = 0

    /// Whether a subscription waits for streams that no response has named yet.
    var needsStreams: Bool { streams == nil && !listeners.isEmpty }

    /// Removes and returns the event for the next request.
    mutating func drainRefetchEvent() -> RefetchEvent? {
        defer { refetchEvent = nil }
        return refetchEvent
    }

    /// Puts back an event after a failed request, unless there is a newer one.
    mutating func putBack(_ old: RefetchEvent?) { if refetchEvent == nil { refetchEvent = old } }

    /// Records an event; it replaces an earlier one.
    mutating func put(_ new: RefetchEvent) { refetchEvent = new }

    /// Records the streams of a response, and notifies the listeners if they have changed.
    mutating func setStreams(_ new: [EventStreamAddress]) {
        let new = Set(new)
        guard streams != new else { return }
        streams = new
        for listener in listeners.values { listener.yield() }
    }

    /// Adds a listener for changed streams; returns its number. If the streams are known, the listener is notified
    /// immediately.
    mutating func addListener(_ listener: AsyncStream<Void>.Continuation) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        if streams != nil { listener.yield() }
        return lastListener
    }

    /// Removes a listener.
    mutating func removeListener(_ number: Int) { listeners.removeValue(forKey: number)?.finish() }
}
