import Foundation
import TestSupport
import Testing

/// Random typing, pasting, resizing and outside changes: the menu keeps running and restores the terminal.
@Suite(.slow, .serialized, .mayBlock) struct RandomInputTests {
    private static let events = 20_000
    private static let eventsAtOnce = 25

    private let workplace = Workplace()

    /// All keys except those that quit (Ctrl-C, `q`) or stop (Ctrl-Z).
    private static let keys: [String] = {
        var keys = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789".map(String.init)
        keys += " /?:;,.!@#$%^&*()[]{}<>+-=_'\"\\|~`".map(String.init)
        keys += ["\r", "\u{1B}", "\t", "\u{7F}", "\u{1}", "\u{5}", "\u{C}", "\u{12}", "\u{15}", "\u{17}", "\u{1C}"]
        for letter in "ABCDHF" { keys += ["\u{1B}[\(letter)", "\u{1B}O\(letter)", "\u{1B}[1;5\(letter)"] }
        keys += ["\u{1B}[5~", "\u{1B}[6~", "\u{1B}[3~", "\u{1B}[Z", "\u{1B}OP", "\u{1B}[24~"]
        keys += ["é", "日", "👩‍👩‍👧", "e\u{301}", "\u{202E}", "\u{1B}[<0;5;7M", "\u{1B}[<65;9;9M", "\u{1B}[M !!"]
        keys += ["\u{1B}]11;rgb:ff/ff/ff\u{7}", "\u{1B}[?62c", "\u{1B}P", "\u{1B}]", "\u{1B}[1;", "\u{9B}"]
        keys += ["\u{1B}[200~pasted \u{1B}[A\r\n text\u{1B}[201~", "\u{1B}[200~", "\u{1B}[201~"]
        return keys
    }()

    private static let lengths = [1, 2, 9, 10, 24, 39, 40, 60, 80, 120, 200, 500]

    @Test func `20,000 random events do not crash the menu, and the terminal is restored`() throws {
        var random = SeededGenerator(seed: 20_261_121)
        var pseudo = try opened()
        var starts = 1
        let start = Clock.seconds()
        for round in 0..<Self.events / Self.eventsAtOnce {
            let typed = (0..<Self.eventsAtOnce).map { _ in Self.keys.randomElement(using: &random) ?? "" }.joined()
            if pseudo.exitStatus == nil { pseudo.send(Array(typed.utf8)) }
            if round % 5 == 0 {
                let columns = Self.lengths.randomElement(using: &random) ?? 80
                pseudo.setSize(columns: columns, rows: min(200, Self.lengths.randomElement(using: &random) ?? 24))
            }
            if round % 40 == 0 { changeElsewhere(round) }
            // A command that a key ran may have quit the menu.
            guard let exitStatus = pseudo.exitStatus else { continue }
            expectRestored(pseudo, exitStatus, typed)
            guard [0, 130].contains(exitStatus) else { return }
            pseudo = try opened()
            starts += 1
        }
        print("\(Self.events) events in \(Clock.seconds() - start) s, \(starts) starts")
        // The menu still reacts to keys: Ctrl-C quits in every mode, and a second Ctrl-C does not wait for a save.
        pseudo.setSize(columns: 80, rows: 24)
        #expect(pseudo.send(Array("\u{1B}[201~\u{1B}\u{1B}".utf8)))
        let isOver = Clock.wait(atMost: 20) {
            pseudo.send([3])
            return pseudo.wait(atMost: 0.5) { $0.exitStatus != nil }
        }
        #expect(isOver)
        expectRestored(pseudo, pseudo.exitStatus ?? -1, "Ctrl-C")
        if !isOver { pseudo.kill() }
    }

    private func opened() throws -> PseudoTerminal {
        workplace.write(#"{"a": "true", "b": "7", "c": "{\"x\": [1, 2]}", "日本": "ü", "e": "x"}"#, to: "remote.json")
        let pseudo = try PseudoTerminal(
            workplace, ["--source", "remote.json"], variables: ["EDITOR": "true", "VISUAL": "true"])
        try #require(pseudo.wait { $0.text.contains("remote") && $0.text.contains("quit") })
        return pseudo
    }

    private func changeElsewhere(_ round: Int) {
        workplace.write(#"{"a": "\#(round % 2 == 0)", "b": "\#(round)", "n\#(round)": "new"}"#, to: "remote.json")
        _ = workplace.flagmenu(["set", "a", round % 3 == 0 ? "true" : "false", "--source", "remote.json"])
    }

    private func expectRestored(_ pseudo: PseudoTerminal, _ exitStatus: Int32, _ typed: String) {
        let last = String(pseudo.text.suffix(3_000)).debugDescription
        #expect([0, 130].contains(exitStatus), "exited with \(exitStatus) after \(typed.debugDescription): \(last)")
        #expect(pseudo.hasSameModes)
        #expect(pseudo.modesOn.isSubset(of: ["7", "25"]), "\(pseudo.modesOn)")
    }
}
