import FlagModel
import TerminalUI

/// Breaks texts into lines of at most ``columns`` columns.
struct WrappedText {
    let columns: Int
    let charset: Charset

    /// The lines of a text, broken at spaces. If there are more than `count` lines, the last one ends in an ellipsis.
    func lines(of text: String, atMost count: Int = .max, _ style: Style = .plain) -> [StyledLine] {
        let lines = DisplayText.wrapped(text, columns: columns, charset: charset)
        return (lines.count > count ? shortened(lines, to: count) : lines).map { StyledLine($0, style) }
    }

    /// The lines of a text, broken at spaces. If there are more than `count` lines, the last one has as much of the rest
    /// as fits before some words.
    func lines(of text: String, filling count: Int, before words: String = "") -> [String] {
        let lines = DisplayText.wrapped(text, columns: columns, charset: charset)
        guard lines.count > count else { return lines }
        let rest = lines[(count - 1)...].joined(separator: " ")
        let last = DisplayText.clipped(rest, to: columns - DisplayText.width(words), charset: charset) + words
        return lines.prefix(count - 1) + [last]
    }

    /// The lines of a value with all its spaces. A line ends after its last space if the space is in the second half of
    /// the line, otherwise where the line is full. If there are more than `count` lines, the last one ends in an
    /// ellipsis.
    func pieces(of value: String, atMost count: Int = .max) -> [String] {
        var remaining = Array(DisplayText.safe(value.orQuotes, charset: charset))[...]
        var pieces: [String] = []
        while !remaining.isEmpty {
            if pieces.count == count { return shortened(pieces, to: count) }
            let end = end(ofLine: remaining)
            pieces.append(String(remaining[..<end]))
            remaining = remaining[end...]
        }
        return pieces
    }

    /// The index at which the first line of a text ends.
    private func end(ofLine text: ArraySlice<Character>) -> Int {
        var (end, used) = (text.startIndex, 0)
        while end < text.endIndex {
            // In safe text, each ASCII character has one column.
            used += text[end].isASCII ? 1 : DisplayText.width(String(text[end]), charset: charset)
            if used > columns { break }
            end += 1
        }
        guard end < text.endIndex else { return end }
        let afterSpace = text[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
        return max(text.startIndex + 1, afterSpace - text.startIndex > columns / 2 ? afterSpace : end)
    }

    /// The first `count` lines. The last of these lines ends in an ellipsis.
    private func shortened(_ lines: [String], to count: Int) -> [String] {
        guard count > 0, let last = lines.prefix(count).last else { return [] }
        let room = columns - DisplayText.width(charset.ellipsis, charset: charset)
        let end = DisplayText.fits(last, columns: room, charset: charset) ? last : String(last.dropLast(2))
        return lines.prefix(count - 1) + [end + charset.ellipsis]
    }

    /// The lines of a label, a value that is wrapped beside the label, and a note after or below the value.
    ///
    /// - Parameters:
    ///   - label: the label, padded to the column at which the value starts.
    ///   - breaksAtWords: whether the value is a sentence. A sentence is broken at spaces, and may lose spaces.
    func labelled(
        _ label: StyledLine, _ value: String, _ style: Style, note: String = "", _ noteStyle: Style,
        breaksAtWords: Bool = false
    ) -> [StyledLine] {
        let indent = label.width(charset)
        let inner = WrappedText(columns: max(8, columns - indent), charset: charset)
        let margin = StyledLine(String(repeating: " ", count: indent))
        let pieces =
            breaksAtWords
            ? DisplayText.wrapped(value, columns: inner.columns, charset: charset) : inner.pieces(of: value)
        var lines = pieces.enumerated().map { ($0 == 0 ? label : margin).adding($1, style) }
        guard !note.isEmpty, let last = lines.last else { return lines }
        let lineWithNote = last.adding("  \(note)", noteStyle)
        if lineWithNote.width(charset) <= columns {
            lines[lines.count - 1] = lineWithNote
            return lines
        }
        return lines + inner.lines(of: note, noteStyle).map { margin + $0 }
    }
}
