import Foundation
import TestSupport
import Testing

/// The number of bytes that a move of the selection sends, because the terminal may be on a slow connection.
@Suite(.mayBlock) struct MovingTests {
    private let workplace = Workplace()

    /// Two rows with their colours, and the line below the list. tmux has no sequence to fill a part of a row, so a
    /// filled row is 80 bytes.
    @Test(arguments: [("xterm-256color", 400, 450), ("tmux-256color", 450, 500)])
    func `moving the selection sends few bytes`(terminal: String, median: Int, maximum: Int) throws {
        workplace.write(Self.document, to: "remote.json")
        let pseudo = try PseudoTerminal(
            workplace, ["--source", "remote.json"], variables: ["TERM": terminal, "LC_ALL": "C.UTF-8"])
        #expect(pseudo.wait { $0.text.contains("Feature number 3") && Self.isQuiet($0) })
        var sizes: [Int] = []
        for _ in 1...15 {
            let before = pseudo.bytes.count
            pseudo.send("j".utf8)
            #expect(pseudo.wait { $0.bytes.count > before && Self.isQuiet($0) })
            sizes.append(pseudo.bytes.count - before)
        }
        #expect(sizes.sorted()[7] <= median && sizes.allSatisfy { $0 <= maximum }, "\(sizes)")
        pseudo.kill()
    }

    /// Whether the program sends nothing for a while.
    private static func isQuiet(_ pseudo: PseudoTerminal) -> Bool {
        let count = pseudo.bytes.count
        return !pseudo.wait(atMost: 0.1) { $0.bytes.count > count }
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
