#if Server
import Foundation
import TestSupport
import Testing

/// The code that `flagmenu serve` prints for the camera of a phone.
@Suite(.serialized, .mayBlock) struct ServeCodeTests {
    private let workplace = Workplace()

    private func output(_ variables: [String: String?] = [:]) throws -> String {
        let arguments = ["serve", "--sample", "--address", "0.0.0.0", "--port", "0"]
        let terminal = try PseudoTerminal(workplace, arguments, variables: variables, columns: 120, rows: 45)
        #expect(terminal.wait { $0.text.contains("WITHOUT TLS") }, "\(terminal.text)")
        terminal.kill()
        return terminal.text
    }

    @Test func `the code is black on white, whatever the colours of the terminal`() throws {
        let text = try output()
        let lines = text.split(separator: "\r\n").filter { $0.hasPrefix("\u{1B}[38;5;16;48;5;231m") }
        #expect(lines.count >= 15 && lines.allSatisfy { $0.hasSuffix("\u{1B}[0m") }, "\(text)")
        #expect(!text.contains("^["), "no escape is shown as text")
    }

    @Test func `NO_COLOR leaves only the code`() throws {
        let text = try output(["NO_COLOR": "1"])
        #expect(text.contains("█") && !text.contains("\u{1B}[38"), "\(text)")
    }
}
#endif
