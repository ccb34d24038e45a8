/// One event of an event stream.
public struct ServerSentEvent: Sendable, Hashable {
    /// The kind of event, from the field `event`; `message` without that field.
    public var name: String
    /// The event's content; lines are separated by line feeds.
    public var data: String
    /// The id for the header `Last-Event-ID`: the event's id or, if the event has none, the id of the last event with
    /// one; empty if no event has had an id.
    public var id: String

    /// An event.
    public init(name: String = "message", data: String, id: String = "") {
        (self.name, self.data, self.id) = (name, data, id)
    }
}

/// Parses a `text/event-stream` (HTML standard, section 9.2.6) from pieces, which may end anywhere.
public struct EventStreamParser: Sendable {
    private var line: [UInt8] = []
    private var endsWithCarriageReturn = false
    private var isFirstLine = true
    private var name = ""
    private var data: String?
    /// The id from the last `id` field; empty if there was none.
    public private(set) var lastID = ""
    /// The wait before reconnecting from the last `retry` field; `nil` if there was none.
    public private(set) var retry: Duration?

    /// A parser that has read nothing yet.
    public init() {}

    /// How many bytes of an incomplete event are in memory.
    public var pendingCount: Int { line.count + (data?.utf8.count ?? 0) }

    /// Parses more bytes; returns the events that they complete.
    public mutating func parse(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsCarriageReturn = endsWithCarriageReturn
            endsWithCarriageReturn = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsCarriageReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): endLine(&events)
            default: line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine(_ events: inout [ServerSentEvent]) {
        var bytes = line[...]
        line.removeAll(keepingCapacity: true)
        if isFirstLine, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isFirstLine = false
        guard !bytes.isEmpty else { return dispatch(&events) }
        let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        guard colon > bytes.startIndex else { return }  // a comment
        var value = bytes[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        setField(String(decoding: bytes[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private mutating func setField(_ field: String, _ value: String) {
        switch field {
        case "event": name = value
        case "data": if data == nil { data = value } else { data?.append("\n\(value)") }
        case "id": if !value.unicodeScalars.contains("\0") { lastID = value }
        case "retry":
            // The standard allows any number of digits, but a wait is limited to a day.
            guard !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return }
            retry = .milliseconds(min(Int64(value) ?? .max, 86_400_000))
        default: break
        }
    }

    /// Ends the event at an empty line. An event without data is dropped, as the standard requires.
    private mutating func dispatch(_ events: inout [ServerSentEvent]) {
        defer { (name, data) = ("", nil) }
        guard let data else { return }
        events.append(ServerSentEvent(name: name.isEmpty ? "message" : name, data: data, id: lastID))
    }
}
