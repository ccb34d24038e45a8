#if Network
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// Changing the evaluation context in the menu, and forcing conditions on or off.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized)
struct ContextInTheMenuTests {
    private let workplace = Workplace()

    private static let template = #"""
        {"conditions": [
            {"name": "french", "condition": {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES",
              "customSignalKey": "country", "targetCustomSignalValues": ["FR"]}}},
            {"name": "beta", "condition": {"percent": {"percentOperator": "LESS_OR_EQUAL", "seed": "x",
              "microPercent": 0}}}],
         "parameters": {
            "menu": {"defaultValue": {"value": "standard"}, "valueType": "STRING", "conditionalValues": {
              "french": {"value": "carte"}, "beta": {"value": "tasting"}}}}}
        """#

    private func window(_ command: String = "flagmenu") throws -> TerminalWindow {
        workplace.write(Self.template, to: "shop.template.json")
        workplace.write(#"{"app": "shop", "source": "shop.template.json"}"#, to: "flagmenu.json")
        return try TerminalWindow(workplace, command)
    }

    private static func requestsGoldPlan(_ request: LoopbackRequest) -> Bool {
        String(decoding: request.body, as: UTF8.self).contains(#""plan":"gold""#)
    }

    private var value: String { workplace.flagmenu("get menu").text }

    @Test func `an added member and a forced condition apply in the menu and in other commands`() throws {
        let window = try window()
        try window.wait(for: "menu", "standard")
        try window.press("c", showing: "Evaluated for", "french", "does not apply")
        try window.press("a", showing: "Add a member", "country=")
        window.press("c", "o", "u", "n", "t", "r", "y", "=", "F", "R", "Enter")
        try window.wait(for: "1 remote value changed", "yours", "applies")
        #expect(Clock.wait { value == "carte\n" })
        try window.press("G", "k", "Space", "Space", showing: "off, by hand")
        try window.press("j", "Space", showing: "on, by hand")
        try window.press("Escape", "i", showing: "condition beta", "decides: on, by hand")
        #expect(Clock.wait { value == "tasting\n" })
        try window.press("q", "c", "R", showing: "does not apply", "1 remote value changed")
        #expect(Clock.wait { value == "standard\n" })
    }

    @Test func `the menu shows a context change made by a command`() throws {
        let window = try window()
        try window.wait(for: "menu", "standard")
        #expect(workplace.flagmenu("context country=FR").status == 0)
        try window.wait(for: "carte", "changed elsewhere")
    }

    @Test func `a new context is fetched immediately and live updates use it`() async throws {
        let server = try await LoopbackOFREP([.init("fruit", #""apricot""#)])
        workplace.write(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#, to: "flagmenu.json")
        let window = try TerminalWindow(workplace, showing: ["fruit", "apricot"])
        await server.set([.init("fruit", #""bergamot""#)])
        try window.press("c", "a", showing: "Add a member")
        window.press("p", "l", "a", "n", "=", "g", "o", "l", "d", "Enter")
        try window.wait(for: "1 remote value changed", "gold")
        #expect(server.server.requests.contains { Self.requestsGoldPlan($0) })
        try window.press("Escape", showing: "bergamot")
        #expect(Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 1 })
        await server.set([.init("fruit", #""cherry""#)])
        try window.wait(for: "1 value differs")
        #expect(server.server.requests.last.map(Self.requestsGoldPlan) == true)
    }

    @Test func `if the fetch for a new context fails, the shown values stay`() async throws {
        let server = try await LoopbackOFREP([.init("fruit", #""apricot""#)])
        workplace.write(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#, to: "flagmenu.json")
        let window = try TerminalWindow(workplace, showing: ["fruit", "apricot"])
        await server.server.refuse()
        try window.press("c", "a", showing: "Add a member")
        try window.press("x", "=", "1", "Enter", showing: "Saved, but this context has no values yet", "yours")
        try window.press("Escape", showing: "apricot")
    }

    @Test func `in line mode a number edits a member or forces a condition`() throws {
        _ = try window("true")
        workplace.flagmenu("--accessible", input: "c\n3\n1\ncountry=FR\n\nq\n").expect(
            text: "3. beta: does not apply, 1 flag.", "3. beta: on, by hand, 1 flag.", "1. country: FR. You set it")
        #expect(value == "carte\n")
    }
}
#endif
