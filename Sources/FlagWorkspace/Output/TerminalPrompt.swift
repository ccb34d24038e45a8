import FlagModel

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

    /// Prompts for a line, until it is valid.
    ///
    /// - Parameters:
    ///   - standard: the text if the user types nothing; shown in brackets if not empty.
    ///   - accept: converts the typed text, trimmed, or throws why it is not valid.
    /// - Throws: an error if the input has ended.
    package static func until<Value>(
        _ prompt: String, standard: String = "", _ accept: (String) throws(CommandFailure) -> Value
    ) throws(CommandFailure) -> Value {
        let hint = standard.isEmpty ? "" : " [\(standard)]"
        while true {
            StandardError.write("\(prompt.asTerminalText)\(hint.asTerminalText): ")
            guard let typed = readLine()?.trimmed else {
                StandardError.write("\n")
                throw CommandFailure(.usage, "The input ended before the last answer. Nothing was done.")
            }
            do throws(CommandFailure) {
                return try accept(typed.isEmpty ? standard : typed)
            } catch {
                error.sentence.wrapped(to: LineWidth.ofErrors, after: "  ").forEach(StandardError.printLine)
            }
        }
    }

    /// Prompts for yes or no; returns whether the user typed yes. Any other input, and the end of the input, mean no.
    ///
    /// - Parameter isYesDefault: whether an empty line means yes.
    package static func agreement(_ prompt: String, isYesDefault: Bool = false) -> Bool {
        guard let typed = word("\(prompt) \(isYesDefault ? "[Y/n]" : "[y/N]")") else { return false }
        return typed.isEmpty ? isYesDefault : ["y", "yes"].contains(typed)
    }

    /// Prompts for a word; returns it in lower case, or `nil` at the end of the input.
    package static func word(_ prompt: String) -> String? {
        StandardError.write("\(prompt.asTerminalText) ")
        guard let line = readLine() else {
            StandardError.write("\n")
            return nil
        }
        return line.trimmed.lowercased()
    }
}
