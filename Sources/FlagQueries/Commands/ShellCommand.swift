import FlagModel
import TerminalUI

/// A `flagmenu` command that is equivalent to an action of the menu.
public struct ShellCommand: Sendable, Equatable {
    /// The words after `flagmenu`.
    public let arguments: [String]

    /// - Parameters:
    ///   - name: the subcommand, which may have several words.
    ///   - options: options of the subcommand, with their values.
    ///   - operands: keys and values; they follow `--` if one of them looks like an option.
    ///   - settings: options for the app, the sources and the store.
    package init(_ name: String, options: [String] = [], operands: [String] = [], settings: [String] = []) {
        let isAmbiguous = operands.contains { $0.hasPrefix("-") && $0 != "-" }
        let words = name.split(separator: " ").map(String.init)
        arguments =
            isAmbiguous
            ? words + options + settings + ["--"] + operands : words + operands + options + settings
    }

    /// The command in POSIX shell syntax; `nil` if a word contains the character NUL, which no shell passes on.
    public var text: String? {
        guard !arguments.contains(where: { $0.utf8.contains(0) }) else { return nil }
        return (["flagmenu"] + arguments.map(Self.word)).joined(separator: " ")
    }

    /// Commands joined so that each runs only if the previous one succeeded; `nil` if there are none, or if a word
    /// contains the character NUL.
    public static func text(_ commands: [ShellCommand]) -> String? {
        let texts = commands.compactMap(\.text)
        return texts.isEmpty || texts.count < commands.count ? nil : texts.joined(separator: " && ")
    }

    /// A word, quoted if necessary so that a shell reads it unchanged. Control characters become calls of `printf`, so
    /// that pasting the command into a terminal is safe.
    package static func word(_ word: String) -> String {
        if !word.isEmpty, word.utf8.allSatisfy(needsNoQuotes), word.first != "=" { return word }
        var text = ""
        var isQuoted = false
        // \r\n is one Character. It is split, as a shell drops a line feed at the end of printf's output.
        for character in word.flatMap({ $0 == "\r\n" ? ["\r", "\n"] : [$0] as [Character] }) {
            let isVisible = character == "\n" || DisplayText.safe(String(character)) == String(character)
            if isVisible != isQuoted {
                text += "'"
                isQuoted.toggle()
            }
            if isVisible {
                text += character == "'" ? #"'\''"# : String(character)
            } else {
                text += "\"$(printf '" + character.utf8.map { "\\" + $0.padded(to: 3, radix: 8) }.joined() + "')\""
            }
        }
        return text.isEmpty ? "''" : isQuoted ? text + "'" : text
    }

    private static func needsNoQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_-./:@%+=,".utf8.contains(byte)
        }
    }
}
