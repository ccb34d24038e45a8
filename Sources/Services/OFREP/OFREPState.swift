/// The state of a source in a run: the server's streams, and the subscriptions that wait for them.
struct OFREPState {
    /// The streams of the newest response; `nil` before the first. The listeners are notified of changes.
    var streams: Set<EventStreamAddress>? {
        didSet { if streams != oldValue { for listener in listeners.values { listener.yield() } } }
    }
    /// How long the newest response may be cached, from its `Cache-Control`; `nil` if that is not specified.
    var cacheAge: Duration?
    /// The event to send with the next request; `nil` if there is none.
    var refetchEvent: RefetchEvent?
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastListener = 0

    /// Whether a subscription waits for streams that no response has named yet.
    var needsStreams: Bool { streams == nil && !listeners.isEmpty }

    /// Adds a listener for changed streams; returns its number. If the streams are known, the listener is notified
    /// immediately.
    mutating func addListener(_ listener: AsyncStream<Void>.Continuation) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        if streams != nil { listener.yield() }
        return lastListener
    }

    mutating func removeListener(_ number: Int) { listeners[number] = nil }
}
