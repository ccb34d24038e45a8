/// Converts byte offsets to lines and columns. Continues at the last offset, so that ascending offsets need only one
/// pass over the text.
struct TextLocator {
    private let text: TextBytes
    private let start: Int
    private var offset: Int
    private var line = 1
    private var column = 1

    /// `start` is the start of the text in its storage, after a byte order mark.
    init(text: TextBytes, start: Int) {
        self.text = text
        self.start = start
        offset = start
    }

    /// Line and column of the byte at `target`, both from 1; columns are Unicode scalars.
    mutating func place(of target: Int) -> (line: Int, column: Int) {
        if target < offset { (offset, line, column) = (start, 1, 1) }
        text.bytes.withUnsafeBufferPointer { bytes in
            let end = min(target, bytes.count)
            while offset < end {
                let byte = bytes[offset]
                if byte == 0x0A {
                    line += 1
                    column = 1
                } else if byte & 0xC0 != 0x80 {  // The other bytes of a scalar do not count as columns.
                    column += 1
                }
                offset += 1
            }
        }
        return (line, column)
    }
}
