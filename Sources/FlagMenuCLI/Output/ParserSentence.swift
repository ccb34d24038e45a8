/// Formats errors of the argument parser like other messages: a sentence, and a remedy.
enum ParserSentence {
    /// A sentence with the error, and the command that shows the help.
    ///
    /// - Parameters:
    ///   - message: the parser's own message.
    ///   - fullMessage: the message with the usage, which names the command.
    static func sentence(_ message: String, _ fullMessage: String) -> String {
        let words = message.split(separator: "\n").joined(separator: " ")
        let end = words.last.map { ".?!".contains($0) } ?? true ? "" : "."
        let command = fullMessage.firstMatch(of: /See '([^']+ --help)'/)?.output.1 ?? "flagmenu --help"
        return "\(words)\(end) \(command) shows the usage."
    }
}
