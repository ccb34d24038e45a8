/// What a source knows from the answers of this run.
struct OFREPState {
    /// The streams of the newest answer; `nil` before the first.
    private(set) var streams: Set<EventStreamAddress>?
    /// What the next question says of the event that it follows.
    private var hint: RefetchHint?
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastListener = 0

    /// Whether somebody waits for streams that no answer has named yet.
    var needsStreams: Bool { streams == nil && !listeners.isEmpty }

    /// The hint for the next question, once.
    mutating func takeHint() -> RefetchHint? {
        defer { hint = nil }
        return hint
    }

    /// Keeps a hint for the next question, unless there is a newer one.
    mutating func putBack(_ old: RefetchHint?) { if hint == nil { hint = old } }

    /// Notes what an event said; the newest counts.
    mutating func put(_ new: RefetchHint) { hint = new }

    /// Takes over the streams of an answer.
    mutating func found(_ new: [EventStreamAddress]) {
        let new = Set(new)
        guard streams != new else { return }
        streams = new
        for listener in listeners.values { listener.yield() }
    }

    /// Adds somebody who wants to know when there are streams, and whenever they change.
    mutating func addListener(_ listener: AsyncStream<Void>.Continuation) -> Int {
        lastListener += 1
        listeners[lastListener] = listener
        if streams != nil { listener.yield() }
        return lastListener
    }

    /// Tells that one nothing more.
    mutating func removeListener(_ number: Int) { listeners.removeValue(forKey: number)?.finish() }
}
