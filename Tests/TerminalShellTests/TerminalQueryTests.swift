import TestSupport
import Testing

extension OnATerminal {
    /// Queries to the terminal and its replies.
    @Suite struct TerminalQueryTests {
        private static let light = "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}"

        @Test func `late replies are read`() throws {
            let probe = try ProbeTerminal.listed()
            #expect(probe.screen.queries == ["background", "attributes"])
            #expect(!probe.screen.text(0).contains(" on "))
            probe.send("\(Self.light)j\u{1B}[?62c")
            try probe.wait("the background") { $0.screen.text(0).hasSuffix("last j keys 1 mails 0 on light") }
            try end(probe, with: "q", "exited 0")
        }

        @Test(
            arguments: [
                (["TERM": "linux"], [], []), (["TERM": "vt100"], [], []), ([:], ["--no-asking"], []),
                ([:], ["--no-color"], []),
                (["TERM": "screen", "STY": "1.tty"], [], ["background", "attributes"]),
            ] as [([String: String], [String], [String])])
        func `only useful queries are sent`(environment: [String: String], arguments: [String], expected: [String])
            throws
        {
            let probe = try ProbeTerminal(arguments, environment: environment.mapValues { $0 })
            try probe.wait("the list") { $0.text.contains("row 1") }
            #expect(probe.screen.queries == expected)
            try probe.send("q", until: "the end") { $0.end == "exited 0" }
        }

        @Test func `environment is used until the terminal replies`() throws {
            let probe = try ProbeTerminal.listed(environment: ["COLORFGBG": "15;0"])
            #expect(probe.screen.text(0).hasSuffix("on dark"))
            try probe.send(Self.light, until: "the reply") { $0.screen.text(0).hasSuffix("on light") }
            try end(probe, with: "q", "exited 0")
        }

        /// A reply that arrives after the program has ended would appear at the shell's prompt.
        @Test func `waits for replies before it ends`() throws {
            let probe = try ProbeTerminal()
            try probe.send("q", until: "the queries") { $0.screen.queries.last == "attributes" }
            probe.send("\(Self.light)\u{1B}[?62c")
            try expectRestored(probe, "exited 0")
            #expect(!probe.text.contains("^["))
        }

        @Test func `wait for missing replies is short`() throws {
            let probe = try ProbeTerminal()
            probe.send("q")
            let start = Clock.seconds()
            try probe.wait("the end") { $0.end == "exited 0" }
            #expect(Clock.seconds() - start < Clock.limit(1))
        }

        @Test(arguments: [("xterm-256color", true), ("linux", false)])
        func `frames are synchronized on terminals like xterm`(name: String, isSynchronized: Bool) throws {
            let probe = try ProbeTerminal(environment: ["TERM": name])
            try probe.wait("the list") { $0.text.contains("row 1") }
            #expect((probe.screen.synchronizedFrames > 0) == isSynchronized)
            try probe.send("q", until: "the end") { $0.end == "exited 0" }
        }
    }
}
