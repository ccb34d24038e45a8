/// The events do not depend on how the stream is split: here after as many bytes as the first byte says.
func fuzz(_ bytes: [UInt8]) {
    var (whole, pieces) = (EventStreamParser(), EventStreamParser())
    let split = min(Int(bytes.first ?? 0), bytes.count)
    let events = whole.parse(bytes)
    require(pieces.parse(bytes[..<split]) + pieces.parse(bytes[split...]) == events, "the split changes events")
    require((whole.lastID, whole.retry) == (pieces.lastID, pieces.retry), "the split changes the state")
    // Each byte that is not UTF-8 becomes U+FFFD, which has three.
    require(whole.pendingCount <= 3 * bytes.count, "more bytes wait than were read")
}
