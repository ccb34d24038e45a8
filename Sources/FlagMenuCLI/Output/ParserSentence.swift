/// Errors of the argument parser in the form of all other messages: a sentence, and what to do.
enum ParserSentence {
    /// A sentence on what is wrong, and the command that shows how it is right.
    ///
    /// - Parameters:
    ///   - message: the parser's own words.
    ///   - fullMessage: the same with the usage, which names the command.
    static func sentence(_ message: String, _ fullMessage: String) -> String {
        let words = withDoubleQuotes(message.split(separator: "\n").joined(separator: " "))
        let end = words.last.map { ".?!".contains($0) } ?? true ? "" : "."
        let command = fullMessage.firstMatch(of: /See '([^']+ --help)'/)?.output.1 ?? "flagmenu --help"
        return "\(words)\(end) \(command) shows the usage."
    }

    /// The text with the double quotes of other messages. An apostrophe within what the user has typed stays.
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
