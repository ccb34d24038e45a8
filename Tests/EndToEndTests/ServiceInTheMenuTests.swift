import FlagTesting
import Foundation
import TestSupport
import Testing

/// The menu on a service: what was kept at once, then what the service says, then what it tells of.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct ServiceInTheMenuTests {
    private let workplace = Workplace()

    private func window(_ server: LoopbackOFREP) throws -> TerminalWindow {
        workplace.write(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#, to: "flagmenu.json")
        return try TerminalWindow(workplace)
    }

    // Not numbers, as the port in the title is one.
    @Test func `a change at the service is told, waits, and is activated`() async throws {
        let server = try await LoopbackOFREP([.init("discount-banner", "true"), .init("fruit", #""apricot""#)])
        let window = try window(server)
        try window.wait(for: "discount-banner", "apricot", "127.0.0.1:\(server.server.port), just now")
        #expect(Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 1 })
        await server.set([.init("discount-banner", "true"), .init("fruit", #""bergamot""#)])
        try window.wait(for: "1 value differs")
        #expect(window.text.contains("apricot"))
        window.press("a")
        try window.wait(for: "Activated")
        #expect(!window.text.contains("apricot") && window.text.contains("bergamot"))
        window.press("q")
        #expect(Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 0 }, "the connection ends with the menu")
    }

    @Test func `what was kept is on the screen at once while the service hangs, and the menu works`() async throws {
        let server = try await LoopbackOFREP([.init("discount-banner", "true"), .init("max-items", "42")])
        let source = "--source ofrep:\(server.url) --app shop"
        #expect(workplace.flagmenu("list \(source)").status == 0)
        server.server.inject(.hang, times: .max)
        let window = try window(server)
        try window.wait(for: "max-items", "42", "reading")
        window.press("Space")
        try window.wait(for: "*", "override")
        window.press("q")
        #expect(Clock.wait { workplace.flagmenu("get discount-banner \(source)").text == "false\n" })
    }

    @Test func `a service that is gone costs nothing but a sentence`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        #expect(workplace.flagmenu("list --source ofrep:\(server.url) --app shop").status == 0)
        await server.server.refuse()
        let window = try window(server)
        try window.wait(for: "max-items", "42", "kept from")
    }
}
