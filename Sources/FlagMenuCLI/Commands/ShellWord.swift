import ArgumentParser
import TerminalUI

/// Words on their way between a shell's command line and this program.
enum ShellWord {
    /// A word as somebody typed it, read as the shell would: quotes, backslashes and a leading `~/`.
    static func read(_ typed: String, home: String) -> String {
        var text = typed.hasPrefix("~/") ? home : ""
        var quote: Character?
        var rest = typed.dropFirst(text.isEmpty ? 0 : 1)
        while let character = rest.popFirst() {
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if character == "\\", quote != "'", let next = rest.popFirst() {
                text.append(next)
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// A candidate as the shell wants it that asks for completions, or `nil` where it must not be offered: a shell
    /// prints candidates raw, and reads one that begins with a hyphen as an option.
    static func candidate(_ text: String, for shell: CompletionShell?) -> String? {
        guard !text.isEmpty, !text.hasPrefix("-"), DisplayText.safe(text) == text else { return nil }
        return switch shell {
        // bash expands its list of candidates as it expands a command line: $(...) in a key would be run, by a mere Tab.
        // Quoted once for that expansion, and once more for the command line, where the candidate is put as it is.
        case .bash?: quoted(quoted(text))
        // zsh quotes by itself, but takes what follows a colon for a description.
        case .zsh?: text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: text
        }
    }

    /// The text with a backslash before each character that might mean something to a shell.
    private static func quoted(_ text: String) -> String {
        text.reduce(into: "") { quoted, character in
            if character.isASCII, !character.isLetter, !character.isNumber, !"_-./:@%+=".contains(character) {
                quoted.append("\\")
            }
            quoted.append(character)
        }
    }
}
