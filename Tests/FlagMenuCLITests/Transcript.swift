import Foundation
import TestSupport

/// Commands and all of their output as one text, to compare with a snapshot.
struct Transcript {
    let workplace: Workplace
    private(set) var text = ""

    init(_ workplace: Workplace = Workplace()) { self.workplace = workplace }

    /// Runs `flagmenu` with words divided by spaces, and records its output and exit code.
    mutating func run(_ line: String, input: String = "", environment: [String: String?] = [:]) {
        run(line.split(separator: " ").map(String.init), input: input, environment: environment)
    }

    /// The same with words that contain spaces.
    mutating func run(_ arguments: [String], input: String = "", environment: [String: String?] = [:]) {
        let result = workplace.flagmenu(arguments, input: input, environment: environment)
        let settings = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ?? "") " }.joined()
        text += "$ \(settings)flagmenu \(arguments.joined(separator: " "))\n"
        text += pinned(result.text)
        for line in pinned(result.errorText).split(separator: "\n") { text += "2> \(line)\n" }
        text += "=> \(result.status)\n\n"
    }

    /// Replaces what differs between runs: the folder, the time and the user.
    private func pinned(_ text: String) -> String {
        text.replacing(workplace.path, with: "WORK").replacing(workplace.home, with: "HOME")
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME").replacing(NSUserName(), with: "ana")
    }
}
