import TestSupport
import Testing

extension OnATerminal {
    /// Incomplete sequences and floods of input.
    @Suite(.slow) struct UnfinishedInputTests {
        @Test(
            arguments: [
                ("\u{1B}P", "P"), ("\u{1B}]", "]"), ("\u{1B}_", "_"), ("\u{1B}^", "^"), ("\u{1B}X", "X"),
                ("\u{1B}[", "["),
                ("\u{1B}O", "O"), ("\u{1B}[200~abc", "paste abc"), ("\u{1B}[200~abc\u{1B}[20", "paste abc^[[20"),
            ])
        func `incomplete input becomes keys`(sent: String, last: String) throws {
            let probe = try ProbeTerminal.listed()
            try probe.send(sent, until: "what it was") { $0.screen.text(0).contains("last \(last) keys") }
            try probe.send("\u{3}", until: "Ctrl-C") { $0.screen.text(0).contains("last ^C keys") }
            try end(probe, with: "q", "exited 0")
        }

        /// The first part looks like the beginning of the paste's end, but is not.
        @Test(arguments: ["\u{1B}", "\u{1B}[20", "\u{1B}[201"])
        func `paste that pauses at a seeming end is complete`(beginning: String) throws {
            let probe = try ProbeTerminal.listed()
            probe.send("\u{1B}[200~ab\(beginning)")
            // The rest is sent after the program has read the beginning.
            try probe.wait("the paste to be read") { $0.isDrained }
            probe.send("cdefghijklmnopqrstuvwxyz\u{1B}[201~")
            let shown = beginning.replacing("\u{1B}", with: "^[")
            try probe.wait("the paste") {
                $0.screen.text(0).contains("last paste ab\(shown)cdefghijklmnopqrstuvwxyz keys 1")
            }
            try end(probe, with: "q", "exited 0")
        }

        @Test func `large paste and the keys after it are read`() throws {
            let probe = try ProbeTerminal.listed()
            let text = String(repeating: "0123456789", count: 20_000)
            probe.send("\u{1B}[200~\(text)\u{1B}[201~\u{1B}OBk")
            try probe.wait("the keys after it") { $0.screen.text(0).contains("last k keys 3") }
            #expect(probe.screen.row == 2)
            try end(probe, with: "q", "exited 0")
        }

        @Test func `every key of a flood is read`() throws {
            let probe = try ProbeTerminal.listed()
            for _ in 1...20 { probe.send(String(repeating: "jk", count: 500)) }
            try probe.wait("every key") { $0.screen.text(0).contains("keys 20000") }
            try end(probe, with: "q", "exited 0")
        }
    }
}
