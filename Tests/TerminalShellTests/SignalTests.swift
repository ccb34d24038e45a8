import Platform
import TerminalUI
import TestSupport
import Testing

extension OnATerminal {
    @Suite(.slow) struct SignalTests {
        /// All signals that end a process by default, except SIGKILL.
        private static let deadly: [Int32] = {
            var signals = [
                SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGABRT, SIGUSR1, SIGUSR2,
                SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS,
            ]
            #if os(Linux)
            // The first and the last of the real-time signals that the C library does not use.
            signals += [SIGIO, SIGPWR, SIGSTKFLT, 34, 35, 64]
            #else
            signals.append(SIGEMT)
            #endif
            return signals
        }()

        @Test(arguments: deadly)
        func `deadly signal restores the terminal and turns the mouse off`(signal: Int32) throws {
            let probe = try ProbeTerminal.listed()
            try probe.send("M", until: "the mouse") { $0.screen.modes.contains(1006) }
            try probe.signal(signal)
            try expectRestored(probe, "signaled \(signal)")
        }

        @Test(
            arguments: [
                ("F", [SIGILL, SIGTRAP]), ("B", [SIGILL, SIGTRAP]), ("V", [SIGILL, SIGTRAP]), ("S", [SIGSEGV, SIGBUS]),
                ("N", [SIGSEGV, SIGBUS]), ("A", [SIGABRT]),
            ] as [(String, [Int32])])
        func `trap restores the terminal`(key: String, signals: [Int32]) throws {
            let probe = try ProbeTerminal.listed()
            try probe.send(key, until: "the end") { $0.end != nil && !$0.screen.isAlternate }
            let end = try #require(probe.end)
            #expect(signals.map { "signaled \($0)" }.contains(end))
            try expectRestored(probe, end)
        }

        /// SIGKILL cannot be caught. Shows that the checks of this suite detect an unrestored terminal.
        @Test func `kill leaves the terminal unrestored`() throws {
            let probe = try ProbeTerminal.listed()
            try probe.signal(SIGKILL)
            try probe.wait("the end") { $0.end == "signaled \(SIGKILL)" }
            #expect(!hasSameModes(probe))
            #expect(probe.screen.isAlternate)
            #expect(probe.screen.modes.contains(2004))
        }

        @Test func `exit restores the terminal`() throws {
            try end(ProbeTerminal.listed(), with: "x", "exited 7")
        }

        @Test(arguments: [(SIGPIPE, []), (SIGXFSZ, []), (SIGUSR1, ["--handles-user-signal"])])
        func `signal of a failed write is ignored, and one with a handler is left to it`(
            signal: Int32, arguments: [String]
        ) throws {
            let probe = try ProbeTerminal.listed(arguments)
            try probe.signal(signal)
            try probe.send("k", until: "the next key") { $0.screen.text(0).contains("last k") }
            try end(probe, with: "q", "exited 0")
        }

        @Test(arguments: ["key", "signal"])
        func `stop restores the terminal and continue repaints`(way: String) throws {
            let probe = try ProbeTerminal.listed()
            for turn in 1...3 {
                if way == "key" { probe.send("\u{1A}") } else { try probe.signal(SIGTSTP) }
                try probe.wait("the stop") {
                    $0.reports.filter { $0 == "stopped" }.count == turn && !$0.screen.isAlternate
                }
                #expect(hasSameModes(probe))
                #expect(probe.screen.isCursorShown)
                #expect(!probe.screen.modes.contains(2004))
                try probe.setSize(Size(columns: 60 + turn, rows: 20))
                probe.resume()
                try probe.wait("the list in its new size") {
                    $0.screen.isAlternate && $0.screen.text(0).hasPrefix("probe \(60 + turn)x20")
                        && $0.screen.text(19).hasPrefix("row 19")
                }
            }
            try end(probe, with: "q", "exited 0")
        }

        @Test func `repaints after SIGSTOP`() throws {
            let probe = try ProbeTerminal.listed()
            try probe.signal(SIGSTOP)
            try probe.wait("the stop") { $0.reports.contains("stopped") }
            probe.forgetBytes()
            probe.resume()
            try probe.wait("a full repaint") { $0.text.contains("row 23") }
            try end(probe, with: "q", "exited 0")
        }

        @Test func `continuing in the background does not touch the terminal`() throws {
            let probe = try ProbeTerminal.listed()
            try probe.send("\u{1A}", until: "the stop") { $0.reports.contains("stopped") && !$0.screen.isAlternate }
            probe.forgetBytes()
            probe.resume(inForeground: false)
            try probe.wait("the next stop") { $0.reports.filter { $0 == "stopped" }.count == 2 }
            #expect(probe.bytes == [])
            #expect(hasSameModes(probe))
            probe.resume()
            try probe.wait("the list") { $0.screen.text(23).hasPrefix("row 23") }
            try end(probe, with: "q", "exited 0")
        }

        @Test(arguments: [[], ["--ignore-hangup"]])
        func `hang up ends the program quickly`(arguments: [String]) throws {
            let probe = try ProbeTerminal.listed(arguments)
            let start = Clock.seconds()
            probe.hangUp()
            try probe.wait("the end") { $0.end != nil }
            let elapsed = Clock.seconds() - start
            // The kernel sends the session leader a signal; other processes get the end of input.
            #expect(probe.end == "exited 129" || arguments.isEmpty && probe.end == "signaled \(SIGHUP)")
            #expect(elapsed < Clock.limit(0.2), "\(elapsed) s")
        }

        @Test(arguments: [SIGTERM, SIGHUP])
        func `signal ends the program if the terminal is not read`(signal: Int32) throws {
            let probe = try ProbeTerminal.listed()
            probe.send("w")
            try probe.wait("the terminal to be full", readsScreen: false) { $0.isFull }
            try probe.signal(signal)
            let start = Clock.seconds()
            try probe.wait("the end", readsScreen: false) { $0.end != nil }
            #expect(probe.end == "signaled \(signal)")
            #expect(Clock.seconds() - start < Clock.limit(1))
            #expect(hasSameModes(probe))
        }

        @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
        func `signal ends the program after its work`(signal: Int32) throws {
            let probe = try ProbeTerminal.listed(["--tidies"])
            try probe.send("p", until: "the key") { $0.screen.text(0).contains("last p") }
            try probe.signal(signal)
            try probe.wait("the end") { $0.end != nil }
            let sent = probe.text
            let restored = try #require(sent.firstRange(of: "\u{1B}[?1049l"))
            let worked = try #require(sent.firstRange(of: "WORKED"), "\(sent.suffix(200))")
            let tidied = try #require(sent.firstRange(of: "TIDIED"))
            #expect(restored.upperBound <= worked.lowerBound && worked.upperBound <= tidied.lowerBound)
            try expectRestored(probe, "signaled \(signal)")
        }

        @Test(arguments: ["h", "ph"])
        func `signal ends a hung loop`(keys: String) throws {
            let probe = try ProbeTerminal.listed()
            try probe.send(keys, until: "the loop to hang") { $0.text.contains("HUNG") }
            try probe.signal(SIGTERM)
            try probe.wait("the end") { $0.end != nil }
            #expect(probe.text.contains("WORKED") == keys.contains("p"))
            try expectRestored(probe, "signaled \(SIGTERM)")
        }

        @Test func `program handles the termination signal`() throws {
            let probe = try ProbeTerminal.listed(["--handles-termination"])
            try probe.signal(SIGTERM)
            try probe.wait("the end") { $0.end != nil }
            let sent = probe.text
            #expect(sent.contains("HANDLED") && sent.contains("Ended by signal 15."))
            try expectRestored(probe, "exited \(128 + SIGTERM)")
        }
    }
}
