import ArgumentParser
import TerminalUI

/// Words between a shell's command line and this program.
enum ShellWord {
    /// A typed word, parsed as the shell would: quotes, backslashes and a leading `~/`.
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

    /// A candidate in the format of the shell that requests completions, or `nil` if it must not be offered: a shell
    /// prints candidates raw, and treats one that begins with a hyphen as an option.
    static func candidate(_ text: String, for shell: CompletionShell?) -> String? {
        guard !text.isEmpty, !text.hasPrefix("-"), DisplayText.safe(text) == text else { return nil }
        return switch shell {
        // bash expands its list of candidates like a command line: $(...) in a key would be run, by a mere Tab. Quoted
        // once for that expansion, and a second time for the command line, where the candidate is inserted as it is.
        case .bash?: quoted(quoted(text))
        // zsh quotes by itself, but treats what follows a colon as a description.
        case .zsh?: text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        default: text
        }
    }

    /// The text with a backslash before each special character of shells.
    private static func quoted(_ text: String) -> String {
        text.reduce(into: "") { quoted, character in
            if character.isASCII, !character.isLetter, !character.isNumber, !"_-./:@%+=".contains(character) {
                quoted.append("\\")
            }
            quoted.append(character)
        }
    }
}
