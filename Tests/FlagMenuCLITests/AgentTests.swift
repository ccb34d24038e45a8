import FlagModel
import FlagStorage
import Foundation
import TestSupport
import Testing

@testable import FlagMenuCLI

/// `flagmenu mcp`: what an agent can read and change, and what it cannot.
@Suite(.mayBlock) struct AgentTests {
    private let workplace = Workplace.shop()

    private func history() throws -> [String] {
        let json = workplace.flagmenu("history --json").expect(0).output
        return try JSONDocument(parsing: json).root.elements.map {
            "\($0["by"]?.text?.string ?? "") \($0["action"]?.text?.string ?? "")"
        }
    }

    private func get(_ key: String) -> String { workplace.flagmenu("get \(key)").text }

    @Test func `an agent reads what the commands print`() throws {
        workplace.flagmenu("set limit 12 --note BUG-1").expect(0)
        let agent = try AgentDriver(workplace, [])
        let listed = try agent.expect("list_flags", #"{"matching":"cat:numbers"}"#)
        #expect(listed["total"]?.wholeNumber == 2 && listed["untrusted"]?.text?.string.contains("instructions") == true)
        let command = try JSONDocument(parsing: workplace.flagmenu("list --category Numbers --json").output).root
        #expect(listed["flags"]?.compactJSON == command.compactJSON)
        let page = try agent.expect("list_flags", #"{"offset":1,"limit":2}"#)
        #expect(page["flags"]?.count == 2 && page["nextOffset"]?.wholeNumber == 3)
        #expect(try agent.expect("get_flag", #"{"key":"limit"}"#)["flag"]?["note"]?.text == "BUG-1")
        let explained = try agent.expect("explain_flag", #"{"key":"limit"}"#)
        let explanation = try JSONDocument(parsing: workplace.flagmenu("explain limit --json").output).root
        // Each process reads the file itself.
        let time = /"fetchedAt":"[^"]*"/
        #expect(
            explained["flag"]?.compactJSON.replacing(time, with: "")
                == explanation.compactJSON.replacing(time, with: ""))
        #expect(try agent.failure("get_flag", #"{"key":"limt"}"#).contains("limit"))
        #expect(try agent.failure("list_flags", #"{"matching":"is:foo"}"#).contains("is:"))
        let changes = try agent.expect("list_changes")
        #expect(changes["overrides"]?.count == 1 && changes["history"]?.count == 1)
        #expect(changes["you"]?.text == "robot (agent)")
    }

    @Test func `without --write, no tool writes`() throws {
        let agent = try AgentDriver(workplace, [])
        for tool in ["set_flag", "reset_flag", "reset_all", "undo", "apply_scenario", "add_note"] {
            let response = try agent.request(
                "tools/call", #""name":"\#(tool)","arguments":{"key":"limit","value":"1"}"#)
            #expect(response["error"]?["code"]?.wholeNumber == -32602, "\(response.source)")
        }
        #expect(try history().isEmpty)
    }

    @Test func `values are checked as on the command line`() throws {
        let agent = try AgentDriver(workplace)
        #expect(
            try agent.failure("set_flag", #"{"key":"theme","value":"blue"}"#).contains("dark, light, high contrast"))
        #expect(try agent.failure("set_flag", #"{"key":"limit","value":"ten"}"#).contains("limit"))
        #expect(try agent.failure("set_flag", #"{"key":"nosuch","value":"1"}"#).contains("not a flag"))
        #expect(try agent.failure("set_flag", #"{"key":"limit","matching":"limit","value":"1"}"#).contains("both"))
        #expect(try history().isEmpty)
        let changed = try agent.expect("set_flag", #"{"key":"show_map","value":"off","note":"why","for":"2h"}"#)
        #expect(changed["changes"]?.elements.first { _ in true }?["new"]?.text == "false")
        workplace.flagmenu("list --overridden --json").expect(
            0, text: #""setBy": "robot (agent)""#, #""note": "why""#, #""value": "false""#)
        #expect(try history() == ["robot (agent) set show_map"])
    }

    @Test func `a dry run changes nothing, and says what would change`() throws {
        let agent = try AgentDriver(workplace)
        workplace.flagmenu("set theme light").expect(0)
        workplace.flagmenu("scenario save light").expect(0)
        _ = try agent.expect("set_flag", #"{"key":"limit","value":"7"}"#)
        let before = try history()
        let calls = [
            ("set_flag", #"{"key":"limit","value":"9","dryRun":true}"#, 1),
            ("set_flag", #"{"matching":"cat:numbers","value":"9","dryRun":true}"#, 2),
            ("reset_flag", #"{"key":"limit","dryRun":true}"#, 1), ("reset_all", #"{"dryRun":true}"#, 1),
            ("undo", #"{"dryRun":true}"#, 1), ("add_note", #"{"key":"limit","note":"x","dryRun":true}"#, 1),
            ("apply_scenario", #"{"name":"light","replace":true,"dryRun":true}"#, 1),
        ]
        for (tool, arguments, count) in calls {
            let planned = try agent.expect(tool, arguments)
            #expect(planned["changes"]?.count == count && planned["dryRun"]?.bool == true, "\(planned.source)")
        }
        #expect(try history() == before)
    }

    @Test func `reading the resource ignores arguments, which only tools have`() throws {
        let agent = try AgentDriver(workplace)
        let params = #"{"uri":"flagmenu://flags","arguments":{"offset":-1}}"#
        agent.send(#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":\#(params)}"#)
        #expect(agent.next()?["result"]?["contents"]?.count == 1)
    }

    @Test func `undo and reset_all touch only the agent's own changes`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("set_flag", #"{"key":"limit","value":"7"}"#)
        workplace.flagmenu("set theme light").expect(0)
        #expect(try agent.expect("undo")["changes"]?.count == 1)
        #expect(get("limit") == "10\n" && get("theme") == "light\n")
        #expect(try agent.failure("undo").contains("Nothing to undo"))
        _ = try agent.expect("set_flag", #"{"matching":"cat:numbers","value":"3"}"#)
        #expect(try agent.expect("reset_all")["changes"]?.count == 2)
        #expect(get("theme") == "light\n")
        let revision = try #require(try agent.expect("list_changes")["revision"]?.wholeNumber)
        #expect(try agent.failure("reset_all", #"{"expectedRevision":\#(revision - 1)}"#).contains("\(revision)"))
        #expect(try agent.failure("undo", #"{"expectedRevision":\#(revision - 1)}"#).contains("\(revision)"))
        #expect(get("theme") == "light\n")
        _ = try agent.expect("reset_all", #"{"expectedRevision":\#(revision)}"#)
        #expect(get("theme") == "dark\n")
        _ = try agent.expect("undo", #"{"expectedRevision":\#(revision + 1)}"#)
        #expect(get("theme") == "light\n")
    }

    @Test func `an undo of what somebody has changed since changes nothing`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("set_flag", #"{"matching":"cat:numbers","value":"3"}"#)
        workplace.flagmenu("set limit 99").expect(0)
        for arguments in ["{}", #"{"dryRun":true}"#] {
            #expect(try agent.failure("undo", arguments).contains(#""limit" was changed since"#))
        }
        #expect(get("limit") == "99\n" && get("ratio") == "3\n")
        workplace.flagmenu("undo").expect(0)
        _ = try agent.expect("undo")
        #expect(get("limit") == "10\n" && get("ratio") == "0.5\n")
    }

    @Test func `scenarios are previewed, applied and undone`() throws {
        let agent = try AgentDriver(workplace)
        workplace.flagmenu("set theme light").expect(0)
        workplace.flagmenu("scenario save light").expect(0)
        workplace.flagmenu("reset theme").expect(0)
        #expect(try agent.expect("list_scenarios")["scenarios"]?.count == 1)
        let preview = try agent.expect("preview_scenario", #"{"name":"light","replace":false}"#)["preview"]
        #expect(preview?["summary"]?.text == "Adds 1." && preview?["lines"]?.count == 1)
        _ = try agent.expect("apply_scenario", #"{"name":"light","replace":false}"#)
        #expect(get("theme") == "light\n")
        _ = try agent.expect("undo")
        #expect(get("theme") == "dark\n")
        #expect(try agent.failure("apply_scenario", #"{"name":"lihgt","replace":true}"#).contains("light"))
    }

    @Test func `secret values are neither shown nor found`() throws {
        workplace.write(#"{"source": "shop.json", "app": "shop", "secret": "gr*"}"#, to: "flagmenu.json")
        workplace.flagmenu(["set", "greeting", "hush-hush"]).expect(0)
        let agent = try AgentDriver(workplace)
        var texts: [String] = []
        for call in [
            ("list_flags", "{}"), ("get_flag", #"{"key":"greeting"}"#), ("explain_flag", #"{"key":"greeting"}"#),
            ("list_changes", "{}"), ("set_flag", #"{"key":"greeting","value":"new","dryRun":true}"#),
            ("list_flags", #"{"matching":"hush"}"#), ("list_flags", #"{"matching":"value:hush"}"#),
            ("reset_flag", #"{"key":"greeting"}"#), ("undo", "{}"), ("list_apps", "{}"),
        ] { texts.append(try agent.call(call.0, call.1).source) }
        texts.append(try agent.request("resources/read", #""uri":"flagmenu://flags""#).source)
        for text in texts { #expect(!text.contains("hush") && !text.contains("Hello"), "\(text)") }
        #expect(texts[5].contains(#""total":0"#))
    }

    @Test func `values that only an unread source could mark as secret are not shown`() throws {
        workplace.write("{", to: "shop.json")
        workplace.flagmenu("set greeting hush-hush --new").expect(0)
        let agent = try AgentDriver(workplace)
        let changes = try agent.expect("list_changes")
        #expect(!changes.source.contains("hush") && changes["overrides"]?.count == 1)
        #expect(changes["warnings"]?.source.contains("not read yet") == true)
        #expect(try agent.expect("list_flags", #"{"matching":"hush"}"#)["total"]?.wholeNumber == 0)
        workplace.write(Documents.shop, to: "shop.json")
        let isShown = Clock.wait(atMost: 10) { (try? agent.expect("list_changes"))?.source.contains("hush") == true }
        #expect(isShown)
    }

    @Test func `a project file without permission names the command that gives it, and then works`() throws {
        workplace.write(#"{"a": "1"}"#, to: "../elsewhere.json")
        workplace.write(#"{"source": "../elsewhere.json", "app": "shop"}"#, to: "flagmenu.json")
        let agent = try AgentDriver(workplace)
        #expect(try agent.failure("list_flags").contains("flagmenu trust \(workplace.place("flagmenu.json"))"))
        workplace.flagmenu("trust").expect(0)
        #expect(try agent.expect("list_flags")["total"]?.wholeNumber == 1)
    }

    @Test func `standard input is no source, as the agent's messages are there`() throws {
        let agent = try AgentDriver(workplace, ["--source", "-"])
        #expect(try agent.failure("list_flags").contains("Standard input"))
    }

    @Test func `a client is told that a flag has changed`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("get_flag", #"{"key":"limit"}"#)
        agent.send(#"{"jsonrpc":"2.0","id":"s","method":"resources/subscribe","params":{"uri":"flagmenu://flags"}}"#)
        #expect(agent.next()?["id"]?.text == "s")
        workplace.flagmenu("set limit 77").expect(0)
        let message = agent.next()
        #expect(message?["method"]?.text == "notifications/resources/updated", "\(message?.source ?? "nothing")")
    }

    @Test func `the process ends with its input, also while a call waits for apps`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("get_flag", #"{"key":"limit"}"#)
        agent.send(#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"wait_for_apps"}}"#)
        let start = Clock.seconds()
        #expect(agent.end() == 0)
        #expect(Clock.seconds() - start < 10)
    }

    @Test func `a client may send many requests before it reads a response`() throws {
        let flags = (0..<500).map { "\"flag_\($0)\": \"\($0)\"" }.joined(separator: ",")
        workplace.write("{\(flags)}", to: "shop.json")
        let agent = try AgentDriver(workplace, [])
        let params = #""params":{"name":"list_flags","arguments":{"limit":500}}"#
        // The responses, and also the requests, have more bytes than a pipe takes.
        let padding = String(repeating: " ", count: 2_000)
        for id in 1...40 {
            agent.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call",\#(params)\#(padding)}"#)
            if id == 1 { #expect(agent.hasOutput(), "the first response waits for its reader") }
        }
        for id in 1...40 { #expect(agent.next()?["id"]?.wholeNumber == id) }
    }

    @Test func `a client that never reads ends the process with the input, too`() throws {
        let agent = try AgentDriver(workplace, [])
        for id in 1...300 { agent.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/list"}"#) }
        let start = Clock.seconds()
        #expect(agent.end() == 0)
        #expect(Clock.seconds() - start < 10)
    }

    @Test func `the rest of a line that is too long is not kept`() throws {
        let agent = try AgentDriver(workplace, [])
        agent.send(String(repeating: "x", count: 20 << 20))
        #expect(agent.next()?["error"]?["code"]?.wholeNumber == -32700)
        #expect(try agent.expect("get_flag", #"{"key":"limit"}"#)["flag"] != nil)
    }

    @Test func `a damaged store stays as it is if another revision is expected`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("set_flag", #"{"key":"limit","value":"7"}"#)
        let path = "\(workplace.home)/.local/state/flagmenu/shop/overrides.json"
        workplace.write("{", to: path)
        #expect(try agent.failure("set_flag", #"{"key":"limit","value":"8","expectedRevision":0}"#).contains("not 0"))
        #expect(workplace.read(path) == "{")
        _ = try agent.expect("set_flag", #"{"key":"limit","value":"8","expectedRevision":1}"#)
        #expect(get("limit") == "8\n")
    }

    @Test func `undo passes over what has ended by itself`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("set_flag", #"{"key":"theme","value":"light"}"#)
        _ = try agent.expect("set_flag", #"{"key":"limit","value":"7","for":"1s"}"#)
        #expect(Clock.wait(atMost: 10) { get("limit") == "10\n" })
        workplace.flagmenu("set ratio 2").expect(0)
        #expect(try agent.expect("undo")["changes"]?.count == 0)
        #expect(try agent.expect("undo")["changes"]?.count == 1)
        #expect(get("theme") == "dark\n" && get("ratio") == "2\n")
    }

    @Test func `a list of keys can be waited for, also if no app runs`() throws {
        let agent = try AgentDriver(workplace)
        let waited = try agent.expect("wait_for_apps", #"{"keys":["limit"],"seconds":1}"#)
        #expect(waited["taken"]?.bool == true && waited["apps"]?.count == 0)
        #expect(try agent.failure("wait_for_apps", #"{"seconds":50}"#).contains("45"))
    }

    @Test func `a typical job takes at most six calls`() throws {
        let agent = try AgentDriver(workplace)
        _ = try agent.expect("list_flags", #"{"matching":"cat:numbers !value:3"}"#)
        _ = try agent.expect("set_flag", #"{"matching":"cat:numbers !value:3","value":"3","note":"test"}"#)
        _ = try agent.expect("wait_for_apps", #"{"seconds":1}"#)
        _ = try agent.expect("undo")
        #expect(try agent.expect("list_changes")["overrides"]?.count == 0)
    }
}

/// `flagmenu init --agent`.
@Suite(.mayBlock) struct AgentConfigurationTests {
    private let workplace = Workplace.shop()

    @Test func `every client's configuration is printed`() {
        let run = workplace.flagmenu("init --agent").expect(0, text: "mcpServers", "[mcp_servers.flagmenu]")
        for client in AgentClient.allCases { run.expect(text: client.title) }
        #expect(workplace.names(in: ".").allSatisfy { !$0.hasPrefix(".mcp") })
    }

    @Test func `everything else in a file stays`() throws {
        workplace.write(#"{"a": [1, 2], "mcpServers": {"x": {"command": "y"}, "flagmenu": 1}}"#, to: ".mcp.json")
        let command = "init --agent --write-config claude-code --write-config vscode"
        workplace.flagmenu(command).expect(2, errors: "another entry flagmenu", "--replace")
        #expect(workplace.read(".mcp.json")?.contains(#""flagmenu": 1"#) == true)
        workplace.flagmenu("\(command) --replace").expect(0)
        workplace.flagmenu(command).expect(0, comment: "the same entry can be written again")
        let root = try JSONDocument(parsing: Array(try #require(workplace.read(".mcp.json")).utf8)).root
        #expect(root["a"]?.compactJSON == "[1,2]" && root["mcpServers"]?["x"]?["command"]?.text == "y")
        #expect(root["mcpServers"]?["flagmenu"]?.compactJSON == #"{"command":"flagmenu","args":["mcp"]}"#)
        let code = try JSONDocument(parsing: Array(try #require(workplace.read(".vscode/mcp.json")).utf8)).root
        #expect(code["servers"]?["flagmenu"]?["type"]?.text == "stdio")
    }

    @Test func `the configuration is that of the project's folder`() throws {
        workplace.write("", to: "app/code/main.kt")
        workplace.write(#"{"source": "../shop.json", "app": "shop"}"#, to: "app/flagmenu.json")
        let folder = workplace.place("app")
        workplace.flagmenu(["trust"], in: folder).expect(0)
        workplace.flagmenu(["init", "--agent", "--write-config", "claude-code"], in: "\(folder)/code").expect(0)
        #expect(workplace.read("app/.mcp.json") != nil && workplace.names(in: "app/code") == ["main.kt"])
        workplace.flagmenu(["init", "--agent"], in: "\(folder)/code").expect(0, text: "\"\(folder)\"")
    }

    @Test(arguments: ["{ // comment\n}", "[]", #"{"mcpServers": []}"#, #"{"a": 1, "a": 2}"#])
    func `a file that cannot be changed stays as it is`(text: String) {
        workplace.write(text, to: ".mcp.json")
        workplace.flagmenu("init --agent --write-config claude-code").expect(2, errors: "by hand")
        #expect(workplace.read(".mcp.json") == text)
    }

    @Test func `a configuration in another format is printed as a command`() {
        workplace.flagmenu("init --agent --write-config codex").expect(
            2, errors: "codex mcp add flagmenu -- flagmenu mcp")
        workplace.flagmenu("init --write-config cursor").expect(2, errors: "--agent")
    }
}
