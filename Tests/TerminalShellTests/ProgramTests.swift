import Platform
import TerminalUI
import Testing

extension OnATerminal {
    @Suite struct ProgramTests {
        @Test func `keys are shown and the terminal is restored`() throws {
            let probe = try ProbeTerminal()
            try probe.wait("the list") { $0.screen.text(23) == "row 23                                 |" }
            #expect(probe.screen.isAlternate)
            #expect(probe.screen.modes.contains(2004))
            #expect((probe.screen.row, probe.screen.column) == (1, 0))
            for (keys, name) in [
                ("\u{1B}OB", "down"), ("\u{1B}OA", "up"), ("\u{1B}[5~", "PgUp"), ("\u{1B}[6~", "PgDn"),
                ("\u{1B}[1;5D", "ctrl-left"), ("\u{1B}[1;3C", "ctrl-right"),
                ("\u{1B}OH", "home"), ("\u{1B}OP", "F1"), ("\u{1B}[24~", "F12"), ("\u{1B}[3~", "del"),
                ("\u{1B}[Z", "shift-tab"),
                ("\u{3}", "^C"), ("\u{13}", "^S"), ("é", "é"), ("\u{1B}", "esc"), ("\r", "enter"),
                ("\u{1B}[200~q\u{1B}[A\u{1B}[201~", "paste q^[[A"), ("ā", "ā"),
            ] {
                try probe.send(keys, until: "key \(name)") { $0.screen.text(0).contains("last \(name) keys") }
            }
            try end(probe, with: "q", "exited 0")
            #expect(probe.screen.unknown == [])
        }

        @Test func `mail and bell work without further keys`() throws {
            let probe = try ProbeTerminal()
            try probe.send("mbm", until: "two mails") { $0.screen.text(0).hasSuffix("mails 2") }
            #expect(probe.bytes.contains(7))
            try end(probe, with: "q", "exited 0")
        }

        @Test func `another program runs on the normal screen, and its modes are turned off`() throws {
            let probe = try ProbeTerminal.listed()
            probe.forgetBytes()
            probe.send("e")
            try probe.wait("the list again") { $0.screen.isAlternate && $0.screen.text(0).contains("last e keys 1") }
            let sent = probe.text
            let left = try #require(sent.firstRange(of: "\u{1B}[?1049l"))
            let outside = try #require(sent.firstRange(of: "OUTSIDE"))
            let back = try #require(sent.firstRange(of: "\u{1B}[?1049h"))
            #expect(left.upperBound <= outside.lowerBound && outside.upperBound <= back.lowerBound)
            // The modes that the other program left on are turned off.
            #expect(sent.contains("\u{1B}[?1002h"))
            #expect(probe.screen.modes.isDisjoint(with: [1000, 1002, 1003, 1004, 1006]))
            try end(probe, with: "q", "exited 0")
        }

        @Test func `starts twice in the same process`() throws {
            let probe = try ProbeTerminal.listed(["--twice"])
            try probe.send("q", until: "the first end") { $0.text.contains("finished after 1") }
            try probe.wait("the list again") { $0.screen.isAlternate && $0.screen.text(23).hasPrefix("row 23") }
            try end(probe, with: "kq", "exited 0")
            #expect(probe.text.contains("finished after 2 keys"))
        }

        @Test func `control l repaints the screen`() throws {
            let probe = try ProbeTerminal.listed()
            probe.forgetBytes()
            try probe.send("\u{C}", until: "the list again") { $0.text.contains("row 23") }
            #expect(probe.text.contains("row 2\u{1B}"))
            try end(probe, with: "q", "exited 0")
        }

        @Test func `mouse is reported only if it is on`() throws {
            let probe = try ProbeTerminal.listed()
            #expect(probe.screen.modes.isDisjoint(with: [1000, 1006]))
            probe.send("\u{1B}[<0;1;1Mk")
            try probe.wait("no mouse, and the key behind it") { $0.screen.text(0).contains("last k keys 1") }
            try probe.send("M", until: "the mouse") { $0.screen.modes.isSuperset(of: [1000, 1006]) }
            for (sent, name) in [
                ("\u{1B}[<0;7;3M", "click 2,6"), ("\u{1B}[<65;1;1M", "wheel-down 0,0"),
                ("\u{1B}[M`!\"", "wheel-up 1,0"), ("\u{1B}[<0;7;3mk", "k"),
            ] {
                try probe.send(sent, until: name) { $0.screen.text(0).contains("last \(name) keys") }
            }
            probe.send("e")
            try probe.wait("the list again") { $0.screen.isAlternate && $0.screen.text(0).contains("last e keys") }
            let sent = probe.text
            let outside = try #require(sent.firstRange(of: "OUTSIDE"))
            let off = try #require(sent.firstRange(of: "\u{1B}[?1000l"))
            #expect(off.upperBound <= outside.lowerBound)
            try probe.wait("the mouse again") { $0.screen.modes.isSuperset(of: [1000, 1006]) }
            try probe.send("M", until: "no mouse") { $0.screen.modes.isDisjoint(with: [1000, 1006]) }
            try probe.send("M", until: "the mouse") { $0.screen.modes.isSuperset(of: [1000, 1006]) }
            try end(probe, with: "q", "exited 0")
        }

        @Test(arguments: [("xterm-256color", "c;Z3LDvG4=\u{7}"), ("linux", nil), ("vt100", nil)])
        func `copies only if the terminal has a clipboard`(term: String, copied: String?) throws {
            let probe = try ProbeTerminal(environment: ["TERM": term])
            try probe.wait("the list") { $0.text.contains("row 1") }
            try probe.send("ye", until: "the key behind it") { $0.text.contains("OUTSIDE") }
            #expect(probe.screen.clipboard == copied)
            try probe.send("q", until: "the end") { $0.end == "exited 0" }
        }

        @Test func `move sends few bytes`() throws {
            let probe = try ProbeTerminal.listed()
            try probe.send("\u{1B}OB", until: "the move") { $0.screen.row == 2 }
            probe.forgetBytes()
            try probe.send("\u{1B}OB", until: "the move") { $0.screen.row == 3 }
            // Two restyled rows and a counter; a full frame has more than 400 bytes.
            #expect(probe.bytes.count < 150, "\(probe.bytes.count) bytes")
            try end(probe, with: "q", "exited 0")
        }

        @Test func `draws after each slow key`() throws {
            let probe = try ProbeTerminal.listed()
            let before = probe.bytes
            try probe.send("TTTT", until: "all four") { $0.screen.text(0).contains("keys 4") }
            // Byte by byte, so that the timing of reads does not matter.
            var screen = VirtualTerminal(size: Size(columns: 80, rows: 24))
            screen.feed(before)
            var seen: Set<String> = []
            for byte in probe.bytes.dropFirst(before.count) {
                screen.feed([byte])
                seen.insert(screen.text(0))
            }
            for count in 1...4 { #expect(seen.contains { $0.contains("last T keys \(count)") }, "\(count) of \(seen)") }
            try end(probe, with: "q", "exited 0")
        }

        @Test(arguments: [("--no-color", false), ("", true)])
        func `no color sends no colors`(argument: String, hasColors: Bool) throws {
            let probe = try ProbeTerminal.listed(argument.isEmpty ? [] : [argument])
            try probe.send("\u{1B}OB\u{C}", until: "the move") { $0.screen.text(0).contains("keys 2") }
            try end(probe, with: "q", "exited 0")
            let parameters = probe.text.matches(of: #/\x1B\[([0-9;]*)m/#).flatMap { $0.1.split(separator: ";") }
            let colors = parameters.compactMap { Int($0) }.filter { (30...49).contains($0) || (90...107).contains($0) }
            #expect(colors.isEmpty == !hasColors)
            #expect(parameters.contains("7") && parameters.contains("2") && parameters.contains("1"))
        }
    }
}

/// Sends the last keys, waits for the end and checks that the terminal is restored.
func end(
    _ probe: ProbeTerminal, with keys: String, _ report: String, location: SourceLocation = #_sourceLocation
) throws {
    probe.send(keys)
    try expectRestored(probe, report, location: location)
}

/// Waits for the end and checks that modes, screen and cursor are restored.
func expectRestored(_ probe: ProbeTerminal, _ report: String, location: SourceLocation = #_sourceLocation) throws {
    try probe.wait("the end", location: location) { $0.end != nil && !$0.screen.isAlternate }
    #expect(probe.end == report, sourceLocation: location)
    #expect(hasSameModes(probe), sourceLocation: location)
    #expect(probe.screen.isCursorShown, sourceLocation: location)
    #expect(
        probe.screen.modes.isDisjoint(with: [2004, 1, 1000, 1002, 1003, 1004, 1006, 2026]), sourceLocation: location)
}

/// Whether the terminal has the modes from before the probe started.
func hasSameModes(_ probe: ProbeTerminal) -> Bool {
    let (before, now) = (probe.modesBefore, probe.modesNow)
    return before.c_iflag == now.c_iflag && before.c_oflag == now.c_oflag && before.c_cflag == now.c_cflag
        && before.c_lflag == now.c_lflag
}
