import FlagModel
import TerminalShell

/// Questions on a terminal, in lines. Elsewhere nobody can answer.
enum Ask {
    /// Whether somebody is there who can be asked.
    static var isPossible: Bool { StandardInput.isTerminal && StandardError.isTerminal }

    /// Sees to it that somebody can be asked before a command changes anything unasked.
    ///
    /// - Parameters:
    ///   - command: the command, as messages name it.
    ///   - outcome: what was left undone, as a sentence.
    static func require(for command: String, outcome: String) throws(CommandFailure) {
        guard isPossible else {
            throw CommandFailure(
                .usage, "\(command) needs --yes without a terminal. \(outcome)")
        }
    }

    /// Asks for a line.
    ///
    /// - Parameter standard: what an empty line means; shown in brackets where there is any.
    /// - Returns: what was typed, without blanks around it.
    /// - Throws: that the input has ended.
    static func line(_ question: String, standard: String = "") throws(CommandFailure) -> String {
        let hint = standard.isEmpty ? "" : " [\(standard)]"
        StandardError.write("\(question.asTerminalText)\(hint.asTerminalText): ")
        guard let line = readLine() else {
            StandardError.write("\n")
            throw CommandFailure(.usage, "The input ended before the last answer. Nothing was done.")
        }
        let text = line.trimmed
        return text.isEmpty ? standard : text
    }

    /// Asks until an answer will do.
    ///
    /// - Parameter accept: what is made of an answer, or a sentence on why it will not do.
    static func until<Answer>(
        _ question: String, standard: String = "", _ accept: (String) -> Result<Answer, Unacceptable>
    ) throws(CommandFailure) -> Answer {
        while true {
            switch accept(try line(question, standard: standard)) {
            case .success(let answer): return answer
            case .failure(let objection):
                objection.sentence.wrapped(to: LineWidth.ofErrors, behind: "  ").forEach(StandardError.say)
            }
        }
    }

    /// Why an answer will not do, as a sentence.
    struct Unacceptable: Error {
        let sentence: String
    }

    /// Asks for yes or no. Any other answer, and the end of the input, means no.
    ///
    /// - Parameter isYesDefault: whether an empty line means yes.
    static func agreement(_ question: String, isYesDefault: Bool = false) -> Bool {
        StandardError.write("\(question.asTerminalText) \(isYesDefault ? "[Y/n]" : "[y/N]") ")
        guard let line = readLine() else {
            StandardError.write("\n")
            return false
        }
        let answer = line.trimmed.lowercased()
        return answer.isEmpty ? isYesDefault : ["y", "yes"].contains(answer)
    }
}
