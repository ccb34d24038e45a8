import ArgumentParser
import TerminalUI

/// Converts words of a shell's command line, for completions.
enum ShellWord {
    /// Parses a typed word as the shell does: removes quotes and backslashes, and expands a leading `~/`.
    static func read(_ typed: String, home: String) -> String {
        var text = typed.hasPrefix("~/") ? home : ""
        var quote: Character?
        var remaining = typed.dropFirst(text.isEmpty ? 0 : 1)
        while let character = remaining.popFirst() {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if character == "\\", quote != "'", let next = remaining.popFirst() {
                text.append(next)
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// A completion candidate in the format of the shell. `nil` if the text begins with a hyphen like an option, or has
    /// characters that are not safe to print: shells print candidates unescaped.
    static func candidate(_ text: String, for shell: CompletionShell?) -> String? {
        guard !text.isEmpty, !text.hasPrefix("-"), DisplayText.safe(text) == text else { return nil }
        return switch shell {
        // bash expands the list of candidates like a command line, so Tab would run a $(...) in a key. The script then
        // quotes the text for the command line.
        case .bash?: quoted(text)
        // zsh quotes candidates itself, but treats text after a colon as a description.
        case .zsh?: text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: text
        }
    }

    /// The text with a backslash before each special character of shells.
    private static func quoted(_ text: String) -> String {
        let safe = "_-./:@%+="
        return text.map { $0.isASCII && !$0.isLetter && !$0.isNumber && !safe.contains($0) ? "\\\($0)" : "\($0)" }
            .joined()
    }
}
