import TerminalUI
import TestSupport
import Testing

extension OnATerminal {
    @Suite(.slow) struct AnyTerminalTests {
        @Test(
            arguments: [
                (nil, "TERM is not set"), ("", "TERM is not set"), ("dumb", "TERM=dumb cannot move its cursor"),
                ("nosuch\u{1B}[31m", "Unknown terminal TERM=nosuch^[[31m."), ("unknown", "TERM=unknown"),
            ] as [(String?, String)])
        func `unsupported terminal prints a reason`(term: String?, sentence: String) throws {
            let probe = try ProbeTerminal(environment: ["TERM": term])
            try probe.wait("the sentence") { probe in
                let shown = (0..<3).map { probe.screen.text($0) }.joined()
                return probe.end != nil && shown.contains(sentence)
            }
            #expect(probe.end == "exited 2")
            #expect(hasSameModes(probe))
            #expect(!probe.screen.isAlternate)
        }

        @Test(arguments: [
            "vt52", "vt100", "ansi", "linux", "screen", "tmux-256color", "xterm", "xterm-mono", "rxvt", "hurd",
        ])
        func `starts and ends on every supported terminal`(term: String) throws {
            for locale in ["C", "C.UTF-8", "no_SUCH"] {
                let probe = try ProbeTerminal(environment: ["TERM": term, "LC_ALL": locale])
                try probe.wait("the list") { $0.text.contains("row 1") }
                try probe.send("q", until: "the end") { $0.end != nil }
                #expect(probe.end == "exited 0")
                #expect(hasSameModes(probe))
            }
        }

        @Test func `size of zero means 80 x 24`() throws {
            let probe = try ProbeTerminal(size: Size(columns: 0, rows: 0))
            try probe.wait("the list") { $0.text.contains("probe 80x24") }
            try probe.send("q", until: "the end") { $0.end == "exited 0" }
        }

        @Test func `terminal size wins over lines and columns`() throws {
            let probe = try ProbeTerminal(environment: ["LINES": "10", "COLUMNS": "20"])
            try probe.wait("the list") { $0.screen.text(23).hasPrefix("row 23") && $0.screen.character(23, 39) == "|" }
            try end(probe, with: "q", "exited 0")
        }

        @Test(arguments: ["C.UTF-8", "C"])
        func `hostile text is escaped and columns are aligned`(locale: String) throws {
            let probe = try ProbeTerminal(["--payload"], environment: ["LC_ALL": locale])
            try probe.wait("the last row") { $0.screen.text(10).hasSuffix("|") }
            for row in 1...10 {
                #expect(probe.screen.character(row, 39) == "|", "row \(row): \(probe.screen.text(row))")
            }
            #expect(probe.screen.text(1).hasPrefix("^[[31mred^[]0;title^G"))
            #expect(probe.screen.title == nil)
            #expect(probe.screen.unknown == [])
            #expect(probe.screen.text(6).hasPrefix(locale == "C" ? "???" : "日本語"))
            let scalars = probe.text.unicodeScalars
            #expect(!scalars.contains { (0x80..<0xA0).contains($0.value) || (0x200B...0x202E).contains($0.value) })
            try end(probe, with: "q", "exited 0")
        }

        /// Shows that the emulator of these tests would detect unescaped text.
        @Test func `emulator interprets unescaped hostile text`() {
            var terminal = VirtualTerminal(size: Size(columns: 80, rows: 24))
            terminal.feed("a|\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}2J\u{0}".utf8)
            #expect(terminal.title != nil)
            #expect(terminal.text(0) != "a|")
            #expect(terminal.unknown == ["C1 155", "control 0"])
        }

        /// tmux counts columns with the C library and its own tables, not with the code under test.
        @Test(.enabled(if: InstalledProgram.has("tmux"), "tmux is not installed"))
        func `columns are aligned in tmux`() throws {
            let workplace = Workplace()
            let tmux = "tmux -u -S '\(workplace.home)/tmux' -f /dev/null"
            defer { _ = workplace.shell("\(tmux) kill-server") }
            _ = workplace.shell("\(tmux) new-session -d -x 80 -y 24 \"'\(ProbeTerminal.program)' --payload\"")
            var rows: [Substring] = []
            let isShown = Clock.wait(atMost: 10) {
                let text = workplace.shell("\(tmux) capture-pane -p").text
                rows = text.split(separator: "\n", omittingEmptySubsequences: false)
                return rows.count > 10 && rows[10].hasSuffix("|")
            }
            try #require(isShown, "timed out waiting for the last row; \(rows)")
            for row in rows[1...10] {
                #expect(row.hasSuffix("|") && DisplayText.width(String(row.dropLast())) == 39, "\(row)")
            }
        }

        @Test func `survives a resize storm`() throws {
            let sides = [1, 2, 3, 5, 10, 24, 60, 200, 500]
            let probe = try ProbeTerminal()
            var random = SeededGenerator(seed: 42)
            try probe.wait("the list") { $0.screen.text(23).hasPrefix("row 23") }
            for turn in 1...500 {
                let columns = try #require(sides.randomElement(using: &random))
                let rows = try #require(sides.randomElement(using: &random))
                try probe.setSize(Size(columns: columns, rows: rows))
                probe.send(turn % 2 == 0 ? "\u{1B}OB" : "\u{1B}OA")
                probe.receive()
            }
            let last = Size(columns: 77, rows: 21)
            try probe.setSize(last)
            try probe.wait("the last frame") { probe in
                probe.screen.text(0).hasPrefix("probe 77x21") && probe.screen.text(0).contains("keys 500")
                    && (1...20).allSatisfy {
                        probe.screen.text($0).hasPrefix("row \($0) ") && probe.screen.character($0, 39) == "|"
                    }
            }
            try end(probe, with: "q", "exited 0")
        }
    }
}
