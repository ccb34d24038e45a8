import FlagModel
import FlagQueries

extension FlagSentences {
    /// The whole explanation of a flag.
    func full(in state: MenuState) -> [String] { explained(by: state.explanation(of: facts)) + options }

    private var options: [String] {
        facts.hasChoice ? facts.choices.enumerated().map { "Option \($0 + 1): \(option($1))" } : []
    }

    /// An option with its marks, such as `true, remote.`
    func option(_ choice: FlagOption) -> String {
        let marks = facts.marks(of: choice)
        return "\(Self.stored(choice.value))\(marks.isEmpty ? "" : ", \(marks)")."
    }

    /// The input that the prompt of a chosen flag accepts, as a sentence.
    func hint(in state: MenuState) -> String {
        let count = facts.choices.count
        var ways = facts.hasChoice ? ["1 \(count == 2 ? "or" : "to") \(count) to set an option"] : []
        if !facts.hasChoice, facts.type == .int || facts.type == .double { ways.append("a number to set it") }
        if !facts.hasChoice || facts.hasOtherValues {
            ways.append("edit for a\(facts.hasChoice ? "nother" : "") value")
        }
        if facts.override != nil { ways.append("\(state.keyWord(of: .clear)) to \(facts.useRemoteText)") }
        return (ways + ["Enter to go back"]).joined(separator: ", ") + "."
    }
}

extension String {
    /// Typed text in quotes, shortened to 30 characters, to be repeated in a response.
    var cited: String {
        let limit = 30
        return "\"\(prefix(limit))\(count > limit ? "..." : "")\""
    }
}
