/// Formats errors of the argument parser like other messages: a sentence, and a remedy.
enum ParserSentence {
    /// A sentence with the error, and the command that shows the help.
    ///
    /// - Parameters:
    ///   - message: the parser's own message.
    ///   - fullMessage: the message with the usage, which names the command.
    static func sentence(_ message: String, _ fullMessage: String) -> String {
        let words = withDoubleQuotes(message.split(separator: "\n").joined(separator: " "))
        let end = words.last.map { ".?!".contains($0) } ?? true ? "" : "."
        let command = fullMessage.firstMatch(of: /See '([^']+ --help)'/)?.output.1 ?? "flagmenu --help"
        return "\(words)\(end) \(command) shows the usage."
    }

    /// The text with double quotes in place of single quotes, as in other messages. An apostrophe within a word stays.
    private static func withDoubleQuotes(_ text: String) -> String {
        let characters = Array(text)
        return String(
            characters.indices.map { index in
                guard characters[index] == "'" else { return characters[index] }
                let opens = index == 0 || " (".contains(characters[index - 1])
                let closes = index == characters.count - 1 || " .,?):".contains(characters[index + 1])
                return opens != closes ? "\"" : "'"
            })
    }
}
