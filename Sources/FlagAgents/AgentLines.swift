/// Splits a stream of bytes into lines, each of which is one message.
package struct AgentLines {
    /// The longest message, in bytes.
    package static let limit = 16 << 20

    private var rest: [UInt8] = []
    private var isSkipping = false

    package init() {}

    /// The lines that end in the next bytes, without empty ones. A line that is too long becomes a text that is no JSON,
    /// so that it gets a response.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if rest.count < Self.limit { rest.append(byte) } else { isSkipping = true }
                continue
            }
            let line = isSkipping ? Array("{ too long".utf8) : rest
            if line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\t") })
            {
                lines.append(line)
            }
            (rest, isSkipping) = ([], false)
        }
        return lines
    }
}
