#if Network
import FlagRemote
import NIOCore
import Platform

// Writes replies to one connection.
extension Channel {
    func respond(_ reply: LoopbackReply) async throws {
        switch reply {
        case .respond(let response): try await send(Self.head(of: response) + response.body)
        case .stream(_, let contentType, let first):
            try await send(
                Array(
                    "HTTP/1.1 200 OK\r\nContent-Type: \(contentType)\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
            try await chunk(first)
        case .hang: break
        case .reset: try await reset()
        case .drip(let response, let pause):
            for byte in Self.head(of: response) + response.body {
                try await send([byte])
                try await Task.sleep(for: pause)
            }
        case .truncated(let response):
            try await send(Self.head(of: response) + response.body.prefix(response.body.count / 2))
            try await close()
        case .raw(let bytes):
            try await send(bytes)
            try await close()
        }
    }

    /// Sends bytes as a chunk of a stream.
    func chunk(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    private func send(_ bytes: some Sequence<UInt8>) async throws {
        try await writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Closes the connection and discards unsent data, so that the client gets a reset.
    private func reset() async throws {
        if let options = self as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await close()
    }

    private static func head(of response: SourceResponse) -> [UInt8] {
        var lines = ["HTTP/1.1 \(response.status) -"]
        lines += response.headers.fields.map { "\($0.name): \($0.value)" }
        let hasBody = response.status >= 200 && response.status != 204 && response.status != 304
        if hasBody, response.headers["Content-Length"] == nil { lines.append("Content-Length: \(response.body.count)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
#endif
