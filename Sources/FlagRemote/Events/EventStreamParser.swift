/// One event that a service sent.
public struct ServerSentEvent: Sendable, Hashable {
    /// The kind of event; `message` if the service names none.
    public var name: String
    /// Its content; lines are separated by line feeds.
    public var data: String
    /// The id of the last event that had one, for `Last-Event-ID`; empty before the first.
    public var id: String
    /// The time to wait before reconnecting, if the service has named one since the previous event.
    public var retry: Duration?

    /// An event.
    public init(name: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.name = name
        self.data = data
        self.id = id
        self.retry = retry
    }
}

/// Parses `text/event-stream` by the rules of the HTML standard, section 9.2.6, from pieces that may be split anywhere.
public struct EventStreamParser: Sendable {
    private var line: [UInt8] = []
    private var hasReturned = false
    private var isFirstLine = true
    private var name = ""
    private var data = ""
    private var hasData = false
    private var pendingRetry: Duration?
    /// The id of the last event that had one.
    public private(set) var lastID = ""
    /// The last wait that the service named; `nil` if it named none.
    public private(set) var retry: Duration?

    /// A parser that has read nothing yet.
    public init() {}

    /// How many bytes the incomplete event has so far.
    public var pendingCount: Int { line.count + data.utf8.count }

    /// Parses more bytes; returns the events that are complete now.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsReturn = hasReturned
            hasReturned = byte == UInt8(ascii: "\r")
            switch byte {
            case UInt8(ascii: "\n") where followsReturn: break
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
        take(String(decoding: bytes[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private mutating func take(_ field: String, _ value: String) {
        switch field {
        case "event": name = value
        case "data":
            data += hasData ? "\n\(value)" : value
            hasData = true
        case "id": if !value.unicodeScalars.contains("\0") { lastID = value }
        case "retry":
            // The standard allows any number of digits; more than a day would be forever.
            guard !value.isEmpty, value.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return }
            retry = .milliseconds(min(Int64(value) ?? .max, 86_400_000))
            pendingRetry = retry
        default: break
        }
    }

    private mutating func dispatch(_ events: inout [ServerSentEvent]) {
        defer { (name, data, hasData) = ("", "", false) }
        guard hasData else { return }
        events.append(
            ServerSentEvent(name: name.isEmpty ? "message" : name, data: data, id: lastID, retry: pendingRetry))
        pendingRetry = nil
    }
}
