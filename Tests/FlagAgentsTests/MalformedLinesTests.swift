import FlagModel
import TestSupport
import Testing

@testable import FlagAgents

/// Random damage to messages: every request still gets one response, and nothing is performed that was not asked for.
@Suite struct MalformedLinesTests {
    private static let seeds = [
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_flag","arguments":{"key":"a","value":"1"}}}"#,
        #"{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"flagmenu://flags"}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        #"[{"jsonrpc":"2.0","id":4,"method":"ping"}]"#, #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":5,"result":{}}"#,
    ]

    @Test func `10,000 malformed lines get one response each`() throws {
        var random = SeededGenerator(seed: 47)
        var session = AgentSession(writes: true, version: "")
        for _ in 0..<10_000 {
            var line = Array(try #require(Self.seeds.randomElement(using: &random)).utf8)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0..<max(1, line.count), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !line.isEmpty: line[place] = .random(in: 0...255, using: &random)
                case 1 where !line.isEmpty: line.remove(at: place)
                case 2:
                    line.insert(contentsOf: Array(#"{"[],:\u0000"#.utf8).shuffled(using: &random).prefix(3), at: place)
                default: line = Array(line.prefix(place))
                }
            }
            check(line, &session)
        }
    }

    private func check(_ line: [UInt8], _ session: inout AgentSession) {
        var responses: [JSONOutput] = []
        for step in session.receive(line) {
            switch step {
            case .send(let message): responses.append(message)
            case .perform(let call):
                #expect(call.tool == .setFlag || call.tool == .listFlags)
                session.finish(call, .success(.object([]))).map { responses.append($0) }
            }
        }
        let root = (try? JSONDocument(parsing: line))?.root
        // Notifications, and responses to requests that this server does not make, get none.
        let isRequest = root == nil || root?.kind != .object || root?["id"] != nil || root?["method"]?.text == nil
        let isResponse = root?["method"] == nil && (root?["result"] != nil || root?["error"] != nil)
        let isBlank = line.allSatisfy { " \t\r\n".utf8.contains($0) }
        let expected = isRequest && !isResponse && !isBlank ? 1 : 0
        let shown = String(decoding: line, as: UTF8.self)
        if root?["jsonrpc"]?.text == "2.0" || expected == 1 {
            #expect(responses.count == expected, "\(shown): \(responses.map { $0.text(indented: false) })")
        }
        for response in responses {
            let text = response.text(indented: false)
            #expect(!text.contains("\n") && (try? JSONDocument(parsing: Array(text.utf8))) != nil)
        }
    }
}
