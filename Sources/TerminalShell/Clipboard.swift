import Essentials
import Platform
package import TerminalUI

/// The terminal's clipboard: `ESC ] 52 ; c ; base64 BEL` (OSC 52, xterm's ctlseqs, "Manipulate Selection Data").
package enum Clipboard {
    private static let opening = "\u{1B}]52;c;"

    /// The maximum length of the sequence in bytes. This is hterm's `OSC_52_MAX_SEQUENCE`, the limit that most copying
    /// tools use. xterm and tmux accept longer sequences.
    private static let sequenceLimit = 100_000

    /// The maximum length of a text in UTF-8 bytes: base64 uses 4 bytes for 3, after subtracting 7 for the opening and
    /// 1 for the end.
    static let textLimit = (sequenceLimit - 8) / 4 * 3

    /// The maximum bytes per chunk for GNU screen: before 4.2, it accepts strings of 256 bytes, including `ESC P` and
    /// `ESC \`.
    private static let screenChunk = 252

    /// The result of copying a text on a terminal with the given abilities.
    static func reply(to text: String, _ abilities: TerminalAbilities) -> ClipboardReply {
        guard abilities.isLikeXterm else { return .unsupported }
        guard text.utf8.count <= textLimit else { return .tooLong(limit: textLimit) }
        return abilities.multiplexer == .tmux ? .sentToTmux : .sent
    }

    /// What a command writes to a terminal to copy a text, and the result as far as it is known.
    package static func copying(_ text: String) -> (sequence: String, ClipboardReply) {
        let name = getenv("TERM").map { String(cString: $0) } ?? ""
        // A command loads no description of the terminal.
        let abilities = TerminalAbilities(hasMouse: !name.isEmpty && name != "dumb")
        let reply = reply(to: text, abilities)
        guard reply == .sent || reply == .sentToTmux else { return ("", reply) }
        return (String(decoding: sequence(for: text, abilities.multiplexer), as: UTF8.self), reply)
    }

    /// The sequence that copies the text. tmux handles the sequence itself; screen passes it to the terminal only if it
    /// is wrapped in `ESC P` and `ESC \`.
    static func sequence(for text: String, _ multiplexer: TerminalAbilities.Multiplexer) -> [UInt8] {
        let sequence = Array(opening.utf8) + Data(text.utf8).base64EncodedData() + [0x07]
        guard multiplexer == .screen else { return sequence }
        return stride(from: 0, to: sequence.count, by: screenChunk).flatMap { start in
            Array("\u{1B}P".utf8) + sequence[start..<min(start + screenChunk, sequence.count)] + Array("\u{1B}\\".utf8)
        }
    }
}
