import FlagModel
import Foundation
import TestSupport
import Testing

/// `flagmenu mcp`, driven by a client with a name.
final class AgentDriver {
    private let process: ChildProcess
    /// -1 after ``end()``.
    private var input: Int32
    private let output: Int32
    private let name: String
    private var rest: [UInt8] = []
    private var count = 0

    /// The id of the process.
    var id: pid_t { process.id }

    init(
        _ workplace: Workplace, _ arguments: [String] = ["--write"], name: String = "robot",
        environment: [String: String?] = [:]
    ) throws {
        var (sending, receiving): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        try #require(pipe(&sending) == 0 && pipe(&receiving) == 0)
        let errors = open(workplace.place("errors"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { [sending[0], receiving[1], errors].forEach { close($0) } }
        (input, output, self.name) = (sending[1], receiving[0], name)
        process = try #require(
            ChildProcess(
                [Workplace.flagmenu, "mcp"] + arguments, workplace.changed(environment), directory: workplace.path,
                streams: [sending[0], receiving[1], errors]))
    }

    deinit {
        if input >= 0 { close(input) }
        close(output)
    }

    /// Sends a line, at most after 10 seconds if the program does not read what was sent before.
    func send(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        var target = pollfd(fd: input, events: Int16(POLLOUT), revents: 0)
        let isRead = poll(&target, 1, 10_000) > 0
        #expect(isRead, "the program reads no more")
        if isRead { _ = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) } }
    }

    /// Waits until there is output, at most 20 seconds, and reads none of it.
    func hasOutput() -> Bool {
        var source = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, 20_000) > 0
    }

    /// The next message, at most after 20 seconds; `nil` at the end of the output.
    func next() -> JSONValue? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                let root = try? JSONDocument(parsing: line).root
                #expect(root?["jsonrpc"]?.text == "2.0", "\(String(decoding: line, as: UTF8.self))")
                return root
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            guard hasOutput() else { return nil }
            let count = read(output, &chunk, chunk.count)
            guard count > 0 else { return nil }
            rest += chunk[..<count]
        }
    }

    /// Sends a modern request, and returns the response. Notifications before it are dropped.
    func request(_ method: String, _ params: String = "") throws -> JSONValue {
        count += 1
        send(
            #"{"jsonrpc":"2.0","id":\#(count),"method":"\#(method)","params":{"_meta":{"#
                + #""io.modelcontextprotocol/protocolVersion":"2026-07-28","#
                + #""io.modelcontextprotocol/clientInfo":{"name":"\#(name)","version":"1"},"#
                + #""io.modelcontextprotocol/clientCapabilities":{}}\#(params.isEmpty ? "" : ",")\#(params)}}"#)
        while let message = next() {
            if message["id"]?.wholeNumber == count { return message }
        }
        throw Missing(method: method)
    }

    private struct Missing: Error { let method: String }

    /// Calls a tool, and returns the result.
    func call(_ tool: String, _ arguments: String = "{}") throws -> JSONValue {
        let response = try request("tools/call", #""name":"\#(tool)","arguments":\#(arguments)"#)
        return try #require(response["result"], "\(response.source)")
    }

    /// Calls a tool that succeeds, and returns what it says.
    func expect(
        _ tool: String, _ arguments: String = "{}", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let result = try call(tool, arguments)
        #expect(result["isError"]?.bool == false, "\(result.source)", sourceLocation: sourceLocation)
        return try #require(result["structuredContent"], "\(result.source)", sourceLocation: sourceLocation)
    }

    /// Calls a tool that fails, and returns the sentence.
    func failure(_ tool: String, _ arguments: String = "{}") throws -> String {
        let result = try call(tool, arguments)
        #expect(result["isError"]?.bool == true, "\(result.source)")
        return result["content"]?.elements.first { _ in true }?["text"]?.text?.string ?? ""
    }

    /// Closes the input, and returns the exit code.
    func end() -> Int32 {
        close(input)
        input = -1
        return process.end(before: Clock.seconds() + 20)
    }
}
