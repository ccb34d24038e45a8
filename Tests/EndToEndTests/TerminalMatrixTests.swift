import Foundation
import TestSupport
import Testing

/// Every kind of terminal, locale and stream: a screen that can be used, or the list and a sentence.
@Suite(.mayBlock) struct TerminalMatrixTests {
    private let workplace = Workplace()

    private static let terminals = ["vt100", "linux", "screen", "tmux-256color", "xterm", "xterm-256color"]
    private static let others = [nil, "dumb", "nosuch"] as [String?]
    /// The others on which the menu talks in lines.
    private static let talking = [nil, "dumb"] as [String?]
    private static let locales = ["C", "C.UTF-8", "no_SUCH"]

    private func variables(_ terminal: String?, _ locale: String, _ isColorless: Bool) -> [String: String?] {
        ["TERM": terminal, "LC_ALL": locale, "NO_COLOR": isColorless ? "1" : nil]
    }

    @Test(arguments: terminals, locales)
    func `a terminal shows the menu`(terminal: String, locale: String) throws {
        for isColorless in [true, false] {
            let pseudo = try PseudoTerminal(workplace, variables: variables(terminal, locale, isColorless))
            let cell = "\(terminal) \(locale) \(isColorless)"
            #expect(pseudo.wait { $0.text.contains("Maximum item count") && $0.text.contains("quit") }, "\(cell)")
            let isAscii = pseudo.text.unicodeScalars.allSatisfy(\.isASCII)
            #expect(isAscii == (locale != "C.UTF-8"), "\(cell)")
            // A change, which is drawn in colours where there are some.
            pseudo.send(Array(" ".utf8))
            #expect(pseudo.wait { $0.text.contains("1 overridden") }, "\(cell)")
            pseudo.send(Array("uq".utf8))
            #expect(pseudo.wait { $0.end != nil }, "\(cell)")
            #expect(pseudo.end == 0, "\(cell)")
            #expect(pseudo.hasSameModes, "\(cell)")
            #expect(pseudo.modesOn.isSubset(of: ["7", "25"]), "\(cell): \(pseudo.modesOn)")
            let hasColors = !isColorless && terminal != "vt100"
            #expect(pseudo.colorSequences.isEmpty == !hasColors, "\(cell): \(pseudo.colorSequences.prefix(3))")
        }
    }

    /// Nothing but text comes: the list and a sentence, or lines to answer on.
    @Test(arguments: others, locales)
    func `another terminal gets text alone`(terminal: String?, locale: String) throws {
        for isColorless in [true, false] {
            let pseudo = try PseudoTerminal(workplace, variables: variables(terminal, locale, isColorless))
            let cell = "\(terminal ?? "unset") \(locale) \(isColorless)"
            #expect(pseudo.wait { $0.text.contains("Maintenance") || $0.text.contains("maintenance") }, "\(cell)")
            pseudo.send(Array("q\r".utf8))
            #expect(pseudo.wait { $0.end != nil }, "\(cell)")
            #expect(pseudo.end == (Self.talking.contains(terminal) ? 0 : 2), "\(cell): \(pseudo.end ?? -1)")
            #expect(!pseudo.bytes.contains(0x1B), "\(cell)")
            #expect(pseudo.hasSameModes, "\(cell)")
        }
    }

    @Test(arguments: terminals.map { $0 } + others, locales)
    func `without a terminal there are the list and a sentence`(terminal: String?, locale: String) {
        for isColorless in [true, false] {
            let run = workplace.flagmenu([], environment: variables(terminal, locale, isColorless))
            #expect(run.status == 2)
            #expect(run.text.contains("enable_multiple_locations\tfalse\tremote\n"))
            #expect(run.words.contains("not both a terminal"))
            #expect(!run.text.contains("\u{1B}") && !run.words.contains("\u{1B}"))
        }
    }
}
