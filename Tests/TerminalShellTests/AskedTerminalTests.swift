import TerminalUI
import TestSupport
import Testing

extension OnATerminal {
    /// What the terminal is asked, and what becomes of its answers.
    @Suite struct AskedTerminalTests {
        private static let light = "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}"

        @Test func takesTheAnswersWheneverTheyCome() throws {
            let probe = try listed()
            #expect(probe.screen.questions == ["background", "mode 2026", "attributes"])
            #expect(!probe.screen.text(0).contains(" on "))
            probe.send("\(Self.light)j\u{1B}[?2026;2$y\u{1B}[?62c")
            try probe.wait("the background") { $0.screen.text(0).hasSuffix("last j keys 1 mails 0 on light") }
            try end(probe, with: "q", "exited 0")
        }

        @Test(
            arguments: [
                (["TERM": "linux"], [], []), (["TERM": "vt100"], [], []), ([:], ["--no-asking"], []),
                ([:], ["--no-color"], ["mode 2026", "attributes"]),
                (["TERM_PROGRAM": "Apple_Terminal"], [], ["background", "attributes"]),
                (["TERM": "screen", "STY": "1.tty"], [], ["background", "attributes"]),
            ] as [([String: String], [String], [String])])
        func asksOnlyWhatIsOfUse(environment: [String: String], arguments: [String], expected: [String]) throws {
            let probe = try ProbeTerminal(arguments, environment: environment.mapValues { $0 })
            try probe.wait("the list") { String(decoding: $0.bytes, as: UTF8.self).contains("row 1") }
            #expect(probe.screen.questions == expected)
            probe.send("q")
            try probe.wait("the end") { $0.end == "exited 0" }
        }

        @Test func believesTheEnvironmentUntilTheTerminalAnswers() throws {
            let probe = try listed(environment: ["COLORFGBG": "15;0"])
            #expect(probe.screen.text(0).hasSuffix("on dark"))
            probe.send(Self.light)
            try probe.wait("the answer") { $0.screen.text(0).hasSuffix("on light") }
            try end(probe, with: "q", "exited 0")
        }

        /// An answer on its way when the program ends would be typed at the shell's prompt.
        @Test func waitsForAnswersBeforeItGivesTheTerminalBack() throws {
            let probe = try ProbeTerminal()
            probe.send("q")
            try probe.wait("the questions") { $0.screen.questions.last == "attributes" }
            probe.send("\(Self.light)\u{1B}[?2026;2$y\u{1B}[?62c")
            try expectRestored(probe, "exited 0")
            #expect(!String(decoding: probe.bytes, as: UTF8.self).contains("^["))
        }

        @Test func doesNotWaitLongForATerminalThatNeverAnswers() throws {
            let probe = try ProbeTerminal()
            probe.send("q")
            let start = ProbeTerminal.now()
            try probe.wait("the end") { $0.end == "exited 0" }
            #expect(ProbeTerminal.now() - start < Clock.limit(1))
        }

        @Test(arguments: [true, false])
        func holdsLargeFramesBackWhereTheTerminalCan(isPossible: Bool) throws {
            let probe = try listed()
            probe.send("\u{1B}[?2026;\(isPossible ? 2 : 0)$y\u{1B}[?62c\u{C}")
            try probe.wait("the key") { $0.screen.text(0).contains("keys 1") && !$0.screen.modes.contains(2026) }
            #expect(probe.screen.heldFrames == (isPossible ? 1 : 0))
            probe.send("\u{1B}OB")
            try probe.wait("the move") { $0.screen.text(0).contains("keys 2") }
            #expect(probe.screen.heldFrames == (isPossible ? 1 : 0))
            try end(probe, with: "q", "exited 0")
        }

        private func listed(environment: [String: String?] = [:]) throws -> ProbeTerminal {
            let probe = try ProbeTerminal(environment: environment)
            try probe.wait("the list") { $0.screen.text(23).hasPrefix("row 23") }
            return probe
        }
    }
}
