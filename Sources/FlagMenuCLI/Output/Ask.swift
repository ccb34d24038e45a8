import FlagModel
import TerminalShell

/// Prompts on a terminal, in lines. Elsewhere there is no input.
enum Ask {
    /// Whether there is a user to prompt.
    static var isPossible: Bool { StandardInput.isTerminal && StandardError.isTerminal }

    /// Requires a user to prompt before a command changes anything unconfirmed.
    ///
    /// - Parameters:
    ///   - command: the command as messages name it.
    ///   - outcome: what was not done, as a sentence.
    static func require(for command: String, outcome: String) throws(CommandFailure) {
        guard isPossible else {
            throw CommandFailure(
                .usage, "\(command) needs --yes without a terminal. \(outcome)")
        }
    }

    /// Prompts for a line.
    ///
    /// - Parameter standard: the value of an empty line; shown in brackets if there is one.
    /// - Returns: the typed text, trimmed.
    /// - Throws: an error if the input has ended.
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

    /// Prompts until the input is valid.
    ///
    /// - Parameter accept: converts the input, or fails with a sentence why it is not valid.
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

    /// Why the input is not valid, as a sentence.
    struct Unacceptable: Error {
        let sentence: String
    }

    /// Prompts for yes or no. Any other input, and its end, mean no.
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
