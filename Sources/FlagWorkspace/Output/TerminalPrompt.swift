import FlagModel
import TerminalShell

/// Prompts on a terminal, line by line.
package enum TerminalPrompt {
    /// Whether a user can be prompted: standard input and standard error are a terminal.
    package static var isPossible: Bool { StandardInput.isTerminal && StandardError.isTerminal }

    /// Throws an error that asks for `--yes` if the user cannot be prompted.
    ///
    /// - Parameters:
    ///   - command: the name of the command in the error.
    ///   - outcome: the sentence in the error that nothing was done.
    package static func require(for command: String, outcome: String) throws(CommandFailure) {
        guard isPossible else {
            throw CommandFailure(
                .usage, "\(command) needs --yes without a terminal. \(outcome)")
        }
    }

    /// Prompts for a line.
    ///
    /// - Parameter standard: the result if the user types nothing; shown in brackets if not empty.
    /// - Returns: the typed text, trimmed.
    /// - Throws: an error if the input has ended.
    static func line(_ prompt: String, standard: String = "") throws(CommandFailure) -> String {
        let hint = standard.isEmpty ? "" : " [\(standard)]"
        StandardError.write("\(prompt.asTerminalText)\(hint.asTerminalText): ")
        guard let line = readLine() else {
            StandardError.write("\n")
            throw CommandFailure(.usage, "The input ended before the last answer. Nothing was done.")
        }
        let text = line.trimmed
        return text.isEmpty ? standard : text
    }

    /// Prompts until the input is valid.
    ///
    /// - Parameter accept: converts the input, or fails with a sentence that says why the input is not valid.
    package static func until<Value>(
        _ prompt: String, standard: String = "", _ accept: (String) -> Result<Value, Unacceptable>
    ) throws(CommandFailure) -> Value {
        while true {
            switch accept(try line(prompt, standard: standard)) {
            case .success(let value): return value
            case .failure(let error):
                error.sentence.wrapped(to: LineWidth.ofErrors, after: "  ").forEach(StandardError.printLine)
            }
        }
    }

    /// The error of input that is not valid.
    package struct Unacceptable: Error {
        let sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    /// Prompts for yes or no; returns whether the user typed yes. Any other input, and the end of the input, mean no.
    ///
    /// - Parameter isYesDefault: whether an empty line means yes.
    package static func agreement(_ prompt: String, isYesDefault: Bool = false) -> Bool {
        StandardError.write("\(prompt.asTerminalText) \(isYesDefault ? "[Y/n]" : "[y/N]") ")
        guard let line = readLine() else {
            StandardError.write("\n")
            return false
        }
        let typed = line.trimmed.lowercased()
        return typed.isEmpty ? isYesDefault : ["y", "yes"].contains(typed)
    }
}
