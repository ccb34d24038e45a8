#if Network
import FlagTesting
import Foundation
import TestSupport
import Testing
import VendorServers

/// The menu on a service: cached values first, then fetched values, then live updates.
@Suite(.enabled(if: TerminalWindow.isPossible, TerminalWindow.reason), .serialized, .mayBlock)
struct ServiceInTheMenuTests {
    private let workplace = Workplace()

    private func window(_ server: LoopbackOFREP, showing words: String...) throws -> TerminalWindow {
        workplace.write(#"{"app": "shop", "source": "ofrep:\#(server.url)"}"#, to: "flagmenu.json")
        return try TerminalWindow(workplace, showing: words)
    }

    // The values are not numbers, because the port in the title is a number.
    @Test func `a live update from the service is reported and applies when it is activated`() async throws {
        let server = try await LoopbackOFREP([.init("discount-banner", "true"), .init("fruit", #""apricot""#)])
        let window = try window(
            server, showing: "discount-banner", "apricot", "127.0.0.1:\(server.server.port), just now")
        #expect(Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 1 })
        await server.set([.init("discount-banner", "true"), .init("fruit", #""bergamot""#)])
        try window.wait(for: "1 value differs")
        #expect(window.text.contains("apricot"))
        try window.press("a", showing: "Activate 1 remote value?", "fruit  apricot -> bergamot")
        try window.press("y", showing: "Activated")
        #expect(!window.text.contains("apricot") && window.text.contains("bergamot"))
        window.press("q")
        #expect(
            Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 0 }, "closing the menu closes the connection")
    }

    @Test func `if the service hangs, cached values show immediately and the menu works`() async throws {
        let server = try await LoopbackOFREP([.init("discount-banner", "true"), .init("max-items", "42")])
        let source = "--source ofrep:\(server.url) --app shop"
        #expect(workplace.flagmenu("list \(source)").status == 0)
        server.server.inject(.hang, times: .max)
        let window = try window(server, showing: "max-items", "42", "reading")
        try window.press("Space", showing: "▌○  discount-banner")
        window.press("q")
        #expect(Clock.wait { workplace.flagmenu("get discount-banner \(source)").text == "false\n" })
    }

    @Test func `an unreachable service leaves the cached values in use`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        #expect(workplace.flagmenu("list --source ofrep:\(server.url) --app shop").status == 0)
        await server.server.refuse()
        _ = try window(server, showing: "max-items", "42", " cached ")
    }

    @Test func `the sources sheet shows that live updates have stopped`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        let window = try window(server, showing: "max-items", "42", "just now")
        #expect(Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 1 })
        await server.server.refuse()
        try window.press("F", showing: "~ no live updates")
    }

    /// Injects a response that stops after its first part.
    private func stall(_ server: LoopbackOFREP) {
        let start = #"{"flags": [], "metadata": {"note": ""# + String(repeating: "x", count: 1_500)
        server.server.inject(.stream(name: "stalled", contentType: "application/json", first: Array(start.utf8)))
    }

    @Test func `the title shows the fetch progress, Esc cancels, and the next fetch works`() async throws {
        let server = try await LoopbackOFREP(
            [.init("discount-banner", "true"), .init("fruit", #""apricot""#)], offersEvents: false)
        let window = try window(server, showing: "apricot", "just now")
        // On a busy machine a request that the menu sends by itself may come first and take the injected response.
        for _ in 0..<4 {
            stall(server)
            window.press("f")
            if Clock.wait(atMost: 5, until: { window.text.contains("reading 1.5 KB") }) { break }
            window.press("Escape")
        }
        try window.wait(for: "reading 1.5 KB", "esc cancel fetch")
        try window.press("Escape", showing: "Fetch cancelled", "stay in use")
        #expect(window.text.contains("apricot"))
        #expect(Clock.wait { server.server.listeners("stalled") == 0 }, "the cancelled request is closed")
        server.server.recover()
        try window.press("f", showing: "Fetched: nothing has changed.")
    }

    @Test func `a fetch that hangs blocks neither activation nor the sources sheet`() async throws {
        let server = try await LoopbackOFREP([.init("discount-banner", "true"), .init("fruit", #""apricot""#)])
        let window = try window(server, showing: "apricot", "just now")
        #expect(Clock.wait { server.server.listeners(LoopbackOFREP.stream) == 1 })
        await server.set([.init("discount-banner", "true"), .init("fruit", #""bergamot""#)])
        try window.wait(for: "1 value differs")
        server.server.inject(.hang, times: .max)
        try window.press("f", showing: ", reading")
        try window.press("a", "y", showing: "Activated", "bergamot", ", reading")
        try window.press("F", showing: " sources  messages ", "requested, read just now")
        window.press("Escape")
        try window.press("Escape", showing: "Fetch cancelled")
    }

    @Test func `a source that was never read does not delay the other sources`() async throws {
        let server = try await LoopbackOFREP([.init("max-items", "42")])
        server.server.inject(.hang, times: .max)
        workplace.write(#"{"fruit": "apricot"}"#, to: "own.json")
        workplace.write(#"{"app": "shop", "source": ["own.json", "ofrep:\#(server.url)"]}"#, to: "flagmenu.json")
        let window = try TerminalWindow(workplace, showing: ["apricot", "reading", "esc cancel fetch"])
        try window.press("Escape", showing: "Fetch cancelled")
        server.server.recover()
        try window.press("f", showing: "max-items", "42")
    }
}
#endif
