import FlagModel
import TestSupport
import Testing

@testable import FlagAgents

/// Messages of both eras of the protocol, and what a client gets for each.
@Suite struct AgentSessionTests {
    private static let modern = #"""
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
        "io.modelcontextprotocol/clientInfo":{"name":"robot","version":"1"},
        "io.modelcontextprotocol/clientCapabilities":{}}
        """#.replacing("\n", with: "")

    private var session = AgentSession(writes: true, version: "1.2")

    /// The messages for a line, and the calls.
    private mutating func receive(_ line: String) -> (sent: [String], calls: [AgentCall]) {
        var (sent, calls) = ([String](), [AgentCall]())
        for step in session.receive(Array(line.utf8)) {
            switch step {
            case .send(let message): sent.append(message.text(indented: false))
            case .perform(let call): calls.append(call)
            }
        }
        return (sent, calls)
    }

    private mutating func send(_ method: String, _ params: String = "", id: String = "1") -> String {
        let run = receive(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"#)
        return run.sent.joined(separator: "\n")
    }

    private mutating func sendModern(_ method: String, _ params: String = "", id: String = "1") -> String {
        send(method, [Self.modern, params].filter { !$0.isEmpty }.joined(separator: ","), id: id)
    }

    @Test(arguments: AgentSession.formerVersions)
    func `initialize repeats a known version`(version: String) {
        var test = self
        let sent = test.send(
            "initialize", #""protocolVersion":"\#(version)","capabilities":{},"clientInfo":{"name":"a"}"#)
        #expect(sent.hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"\#(version)","#))
        #expect(sent.contains(#""serverInfo":{"name":"flagmenu","title":"FlagMenu","version":"1.2"}"#))
        #expect(!sent.contains("resultType"))
    }

    @Test mutating func `initialize responds to an unknown version with the newest former one`() {
        #expect(send("initialize", #""protocolVersion":"1999-01-01""#).contains(#""protocolVersion":"2025-11-25""#))
    }

    @Test mutating func `a modern client discovers the server without initialize`() {
        let sent = sendModern("server/discover", id: #""x""#)
        #expect(sent.hasPrefix(#"{"jsonrpc":"2.0","id":"x","result":{"resultType":"complete","#))
        for fact in [
            #""supportedVersions":["2026-07-28"]"#, #""resources":{"subscribe":true}"#, #""ttlMs":0"#,
            #""cacheScope":"private""#, #""io.modelcontextprotocol/serverInfo":{"name":"flagmenu""#,
        ] { #expect(sent.contains(fact), "\(fact)") }
    }

    @Test mutating func `modern lists have their caching members, former ones do not`() {
        for method in ["tools/list", "resources/list", "resources/templates/list"] {
            let (modern, former) = (sendModern(method), send(method))
            for member in [#""resultType":"complete""#, #""ttlMs":0"#, #""cacheScope":"private""#] {
                #expect(modern.contains(member) && !former.contains(member), "\(method) \(member)")
            }
        }
    }

    @Test mutating func `a modern request needs its version and capabilities`() {
        #expect(send("server/discover").contains("-32602"))
        #expect(
            send("tools/list", #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#).contains("-32602"))
        let other = Self.modern.replacing("2026-07-28", with: "2031-01-01")
        let sent = send("tools/list", other)
        #expect(
            sent.contains("-32022") && sent.contains(#""data":{"supported":["2026-07-28"],"requested":"2031-01-01"}"#))
    }

    @Test mutating func `methods of the other era are unknown`() {
        for method in ["ping", "initialize", "resources/subscribe", "logging/setLevel"] {
            #expect(sendModern(method).contains("-32601"), "\(method)")
        }
        #expect(send("prompts/list").contains("-32601"))
        #expect(send("ping") == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    }

    @Test mutating func `tools that write are absent without --write`() {
        let all = send("tools/list")
        session = AgentSession(writes: false, version: "")
        let reading = send("tools/list")
        for tool in AgentTool.allCases {
            let name = "{\"name\":\"\(tool.rawValue)\""
            #expect(all.contains(name) && reading.contains(name) == !tool.isWriting, "\(tool)")
        }
        let sent = send("tools/call", #""name":"set_flag","arguments":{"key":"a","value":"1"}"#)
        #expect(sent.contains("-32602") && !sent.contains("only: set_flag"))
    }

    @Test mutating func `every tool has a schema and all four hints`() throws {
        let sent = send("tools/list")
        let tools = try JSONDocument(parsing: Array(sent.utf8)).root["result"]?["tools"]
        #expect(tools?.count == 14)
        for tool in tools?.elements.map({ $0 }) ?? [] {
            let schema = tool["inputSchema"]
            #expect(schema?["type"]?.text == "object" && schema?["additionalProperties"]?.bool == false)
            #expect(tool["annotations"]?.count == 4)
            let writes = schema?["properties"]?["dryRun"] != nil
            #expect(tool["annotations"]?["readOnlyHint"]?.bool == !writes)
            #expect(schema?["properties"]?["expectedRevision"] != nil || !writes)
        }
    }

    @Test mutating func `a call is performed with its arguments and its client's name`() throws {
        _ = send("initialize", #""protocolVersion":"2025-11-25","clientInfo":{"name":"Old Robot"}"#)
        let line = #""method":"tools/call","params":{"name":"set_flag","arguments":{"key":"a","value":true}"#
        let former = try #require(receive(#"{"jsonrpc":"2.0","id":7,\#(line)}}"#).calls.first)
        #expect(former.author == "Old Robot (agent)" && former.text("key") == "a" && former.text("value") == "true")
        let modern = try #require(receive(#"{"jsonrpc":"2.0","id":8,\#(line),\#(Self.modern)}}"#).calls.first)
        #expect(modern.author == "robot (agent)" && modern.tool == .setFlag && !modern.bool("dryRun"))
        let value = JSONOutput.object([("a", .integer(1))])
        let response = session.finish(modern, .success(value))?.text(indented: false)
        #expect(
            response == #"{"jsonrpc":"2.0","id":8,"result":{"resultType":"complete","#
                + #""content":[{"type":"text","text":"{\"a\":1}"}],"isError":false,"structuredContent":{"a":1}}}"#)
        #expect(session.finish(modern, .success(value)) == nil, "a call has one response")
        let failed = session.finish(former, .failure(InvalidText(sentence: "Not so.")))?.text(indented: false)
        #expect(
            failed
                == #"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"Not so."}],"isError":true}}"#)
    }

    @Test(arguments: [
        (#"{"key":"a"}"#, "needs \\\"value\\\""), (#"{"key":"a","value":null}"#, "must be a text"),
        (#"{"key":1,"value":"1"}"#, "must be a text"),
        (#"{"key":"a","value":"1","expectedRevision":-1}"#, "whole number"),
        (#"{"key":"a","value":"1","kye":"b"}"#, "not an argument"),
        (#"{"key":"a","value":"1","dryRun":"yes"}"#, "true or false"),
        (#"{"key":"a","value":"1","for":"soon"}"#, "a duration such as 2h"),
    ])
    func `wrong arguments get a result that says what is right`(arguments: String, fact: String) {
        var test = self
        let sent = test.send("tools/call", #""name":"set_flag","arguments":\#(arguments)"#)
        #expect(sent.contains(fact) && sent.contains(#""isError":true"#), "\(sent)")
    }

    @Test mutating func `a cancelled call has no response`() throws {
        let line = #"{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"wait_for_apps"}}"#
        let call = try #require(receive(line).calls.first)
        #expect(session.isAwaited(call))
        _ = receive(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}"#)
        #expect(!session.isAwaited(call))
        #expect(session.finish(call, .success(.null)) == nil)
    }

    @Test mutating func `a line that is too long is an error without an id, and no call`() {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}"#
        func padded(_ count: Int) -> String { line + String(repeating: " ", count: count - line.utf8.count) }
        #expect(receive(padded(AgentSession.lineLimit)).sent == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
        let sent = receive(padded(AgentSession.lineLimit + 1)).sent
        #expect(sent.count == 1 && sent[0].hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#))
    }

    @Test mutating func `requests beyond the limit are errors until others have a response`() throws {
        let params = #""name":"wait_for_apps","arguments":{}"#
        _ = sendModern("subscriptions/listen", #""notifications":{"resourceSubscriptions":["flagmenu://flags"]}"#)
        var calls: [AgentCall] = []
        for id in 2...AgentSession.requestLimit {
            calls += receive(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{\#(params)}}"#).calls
        }
        #expect(calls.count == AgentSession.requestLimit - 1)
        #expect(send("tools/call", params, id: "500").contains("100 requests have no response yet"))
        let call = try #require(calls.first)
        #expect(session.finish(call, .success(.null)) != nil)
        #expect(send("ping", id: "501") == #"{"jsonrpc":"2.0","id":501,"result":{}}"#)
    }

    @Test mutating func `clients of both eras are messages of changes, while they want to be`() {
        let uri = #""uri":"flagmenu://flags""#
        #expect(session.flagsDidChange().isEmpty)
        #expect(send("resources/subscribe", uri) == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        let listening = sendModern(
            "subscriptions/listen", #""notifications":{"resourceSubscriptions":["flagmenu://flags","x://y"]}"#, id: "5")
        #expect(
            listening == #"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"#
                + #""_meta":{"io.modelcontextprotocol/subscriptionId":5},"#
                + #""notifications":{"resourceSubscriptions":["flagmenu://flags"]}}}"#)
        let messages = session.flagsDidChange().map { $0.text(indented: false) }
        #expect(messages.count == 2)
        #expect(messages.allSatisfy { $0.contains("notifications/resources/updated") && $0.contains(uri) })
        #expect(messages.count { $0.contains(#""io.modelcontextprotocol/subscriptionId":5"#) } == 1)
        _ = receive(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#)
        _ = send("resources/unsubscribe", uri)
        #expect(session.flagsDidChange().isEmpty)
    }

    @Test func `the author cannot look like a user`() {
        #expect(AgentSession.author(nil) == "client (agent)")
        #expect(AgentSession.author(" ana\n(b)  ") == "ana (b) (agent)")
        #expect(AgentSession.author(String(repeating: "x", count: 500)).count == 68)
    }

    @Test mutating func `lines without a message are ignored`() {
        for line in ["", "\r", "\n", "  \t\r\n"] { #expect(session.receive(Array(line.utf8)).isEmpty) }
        #expect(receive("{\r\n").sent.count == 1)
    }
}
