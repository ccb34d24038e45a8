import Foundation
import TestSupport
import Testing

/// Every kind of terminal, locale and stream: the menu, or the list and a message.
@Suite(.slow, .mayBlock) struct TerminalMatrixTests {
    private let workplace = Workplace()

    private static let terminals = ["vt100", "linux", "screen", "tmux-256color", "xterm", "xterm-256color"]
    private static let withoutMenu = [nil, "dumb", "nosuch"] as [String?]
    /// The terminals without the menu that get line mode instead of an error.
    private static let withLineMode = [nil, "dumb"] as [String?]
    private static let locales = ["C", "C.UTF-8", "no_SUCH"]

    private func variables(_ terminal: String?, _ locale: String, _ isColorless: Bool) -> [String: String?] {
        ["TERM": terminal, "LC_ALL": locale, "NO_COLOR": isColorless ? "1" : nil]
    }

    @Test(arguments: terminals, locales)
    func `a capable terminal shows the menu`(terminal: String, locale: String) throws {
        for isColorless in [true, false] {
            let pseudo = try PseudoTerminal(workplace, variables: variables(terminal, locale, isColorless))
            let combination = "\(terminal) \(locale) \(isColorless)"
            #expect(
                pseudo.wait { $0.text.contains("Maximum item count") && $0.text.contains("quit") }, "\(combination)")
            let isAscii = pseudo.text.unicodeScalars.allSatisfy(\.isASCII)
            #expect(isAscii == (locale != "C.UTF-8"), "\(combination)")
            // A changed flag is drawn in colour if colours are on.
            pseudo.send(Array(" ".utf8))
            #expect(pseudo.wait { $0.text.contains("1 changed") }, "\(combination)")
            pseudo.send(Array("uq".utf8))
            #expect(pseudo.wait { $0.exitStatus != nil }, "\(combination)")
            #expect(pseudo.exitStatus == 0, "\(combination)")
            #expect(pseudo.hasSameModes, "\(combination)")
            #expect(pseudo.modesOn.isSubset(of: ["7", "25"]), "\(combination): \(pseudo.modesOn)")
            let hasColors = !isColorless && terminal != "vt100"
            #expect(pseudo.colorSequences.isEmpty == !hasColors, "\(combination): \(pseudo.colorSequences.prefix(3))")
        }
    }

    /// Only text is sent: the list and a message, or line mode.
    @Test(arguments: withoutMenu, locales)
    func `a terminal that cannot show the menu gets only text`(terminal: String?, locale: String) throws {
        for isColorless in [true, false] {
            let pseudo = try PseudoTerminal(workplace, variables: variables(terminal, locale, isColorless))
            let combination = "\(terminal ?? "unset") \(locale) \(isColorless)"
            #expect(
                pseudo.wait { $0.text.contains("Maintenance") || $0.text.contains("maintenance") }, "\(combination)")
            pseudo.send(Array("q\r".utf8))
            #expect(pseudo.wait { $0.exitStatus != nil }, "\(combination)")
            #expect(
                pseudo.exitStatus == (Self.withLineMode.contains(terminal) ? 0 : 2),
                "\(combination): \(pseudo.exitStatus ?? -1)")
            #expect(!pseudo.bytes.contains(0x1B), "\(combination)")
            #expect(pseudo.hasSameModes, "\(combination)")
        }
    }

    @Test(arguments: terminals.map { $0 } + withoutMenu, locales)
    func `without a terminal the list and a message are printed`(terminal: String?, locale: String) {
        for isColorless in [true, false] {
            let run = workplace.flagmenu([], environment: variables(terminal, locale, isColorless))
            #expect(run.status == 2)
            #expect(run.text.contains("enable_multiple_locations\tfalse\tremote\n"))
            #expect(run.errorText.contains("is not a terminal"))
            #expect(!run.text.contains("\u{1B}") && !run.errorText.contains("\u{1B}"))
        }
    }
}
