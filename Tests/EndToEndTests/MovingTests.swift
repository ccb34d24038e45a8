import Foundation
import TestSupport
import Testing

/// The number of bytes that a move of the selection sends, because the terminal may be on a slow connection.
@Suite(.mayBlock) struct MovingTests {
    private let workplace = Workplace()

    /// Two filled rows and the detail. tmux has no sequence to fill a part of a row, so a filled row is 80 bytes.
    @Test(arguments: [("xterm-256color", 180, 210), ("tmux-256color", 200, 240)])
    func `moving the selection sends few bytes`(terminal: String, median: Int, maximum: Int) throws {
        workplace.write(Self.document, to: "remote.json")
        let pseudo = try PseudoTerminal(
            workplace, ["--source", "remote.json"], variables: ["TERM": terminal, "LC_ALL": "C.UTF-8"])
        #expect(pseudo.wait { $0.text.hasSuffix(";5H\u{1B}[m") })
        var sizes: [Int] = []
        for _ in 1...15 {
            let before = pseudo.bytes.count
            pseudo.send("j".utf8)
            // The cursor moves to the name last.
            #expect(pseudo.wait { $0.bytes.count > before && $0.text.hasSuffix(";5H") })
            sizes.append(pseudo.bytes.count - before)
        }
        #expect(sizes.sorted()[7] <= median && sizes.allSatisfy { $0 <= maximum }, "\(sizes)")
        pseudo.kill()
    }

    private static let document: String = {
        let numbers = 0..<16
        let values = numbers.map { #""enable_feature_\#($0)": "\#($0 % 4 == 0 ? "control" : "true")""# }
        let items = numbers.map { number in
            let options = number % 4 == 0 ? "control|variant_a|variant_b" : "true|false"
            return """
                {"key": "enable_feature_\(number)", "value": "\(options)", "title": "Feature number \(number)",
                 "description": "Turns feature number \(number) on for the people who test it, and tells why."}
                """
        }
        return """
            {\(values.joined(separator: ",")), "config_categories": [
              {"category": "Features", "items": [\(items.joined(separator: ","))]}]}
            """
    }()
}
