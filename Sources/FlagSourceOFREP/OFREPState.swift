/// What a source knows from the responses of this run.
struct OFREPState {
    /// The streams of the newest response; `nil` before the first.
    private(set) var streams: Set<EventStreamAddress>?
    /// The event for the next request.
    private var hint: RefetchHint?
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastListener = 0

    /// Whether a subscription waits for streams that no response has named yet.
    var needsStreams: Bool { streams == nil && !listeners.isEmpty }

    /// Takes out the hint for the next request.
    mutating func takeHint() -> RefetchHint? {
        defer { hint = nil }
        return hint
    }

    /// Puts back a hint for the next request, unless there is a newer one.
    mutating func putBack(_ old: RefetchHint?) { if hint == nil { hint = old } }

    /// Records an event; the newest counts.
    mutating func put(_ new: RefetchHint) { hint = new }

    /// Takes over the streams of a response.
    mutating func found(_ new: [EventStreamAddress]) {
        let new = Set(new)
        guard streams != new else { return }
        streams = new
        for listener in listeners.values { listener.yield() }
    }

    /// Adds a listener for new and changed streams.
    mutating func addListener(_ listener: AsyncStream<Void>.Continuation) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        if streams != nil { listener.yield() }
        return lastListener
    }

    /// Removes a listener.
    mutating func removeListener(_ number: Int) { listeners.removeValue(forKey: number)?.finish() }
}
