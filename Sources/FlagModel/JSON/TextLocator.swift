/// Converts byte offsets to lines and columns. Continues at the last offset, so that ascending offsets need only one
/// pass over the text.
struct TextLocator {
    private let bytes: [UInt8]
    private let start: Int
    private var offset: Int
    private var line = 1
    private var column = 1

    /// `start` is the start of the text in the bytes, after a byte order mark.
    init(_ bytes: [UInt8], start: Int) {
        (self.bytes, self.start) = (bytes, start)
        offset = start
    }

    /// Line and column of the byte at `target`, both from 1; columns are Unicode scalars.
    mutating func place(of target: Int) -> (line: Int, column: Int) {
        if target < offset { (offset, line, column) = (start, 1, 1) }
        let end = max(offset, min(target, bytes.count))
        for byte in bytes[offset..<end] {
            if byte == 0x0A {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {  // The other bytes of a scalar do not count as columns.
                column += 1
            }
        }
        offset = end
        return (line, column)
    }
}
