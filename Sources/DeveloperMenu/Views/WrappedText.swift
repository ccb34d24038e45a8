import FlagModel
import TerminalUI

/// Text of flags in as many lines as it needs.
struct WrappedText {
    let columns: Int
    let charset: Charset

    /// Words, broken at spaces; if there is no room for all lines, the last one ends in an ellipsis.
    func lines(of text: String, atMost count: Int = .max, _ style: Style = .plain) -> [StyledLine] {
        let lines = DisplayText.wrapped(text, columns: columns, charset: charset)
        guard lines.count > count else { return lines.map { StyledLine($0, style) } }
        return Self.shortened(lines, to: count, columns: columns, charset: charset).map { StyledLine($0, style) }
    }

    /// A value unchanged, including spaces, broken where a line is full, after a space if there is one.
    func pieces(of value: String, atMost count: Int = .max) -> [String] {
        if count == .max, columns > 0, !value.isEmpty, DisplayText.isPlain(value) { return plainPieces(of: value) }
        var rest = Array(DisplayText.safe(value.orQuotes, charset: charset))[...]
        var pieces: [String] = []
        while !rest.isEmpty {
            if pieces.count == count {
                return Self.shortened(pieces + [""], to: count, columns: columns, charset: charset)
            }
            let end = end(ofLine: rest)
            pieces.append(String(rest[..<end]))
            rest = rest[end...]
        }
        return pieces
    }

    /// The pieces of printable ASCII, where a byte is a column: a megabyte of it takes milliseconds.
    private func plainPieces(of value: String) -> [String] {
        var rest = Array(value.utf8)[...]
        var pieces: [String] = []
        while !rest.isEmpty {
            var end = min(rest.startIndex + columns, rest.endIndex)
            if end < rest.endIndex, let space = rest[..<end].lastIndex(of: UInt8(ascii: " ")),
                space + 1 - rest.startIndex > columns / 2
            {
                end = space + 1
            }
            pieces.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return pieces
    }

    private func end(ofLine text: ArraySlice<Character>) -> Int {
        var (end, used) = (text.startIndex, 0)
        while end < text.endIndex {
            used += DisplayText.width(String(text[end]), charset: charset)
            if used > columns { break }
            end += 1
        }
        guard end < text.endIndex else { return end }
        let behindSpace = text[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
        return max(text.startIndex + 1, behindSpace - text.startIndex > columns / 2 ? behindSpace : end)
    }

    private static func shortened(_ lines: [String], to count: Int, columns: Int, charset: Charset) -> [String] {
        guard count > 0, let last = lines.prefix(count).last else { return [] }
        let room = columns - DisplayText.width(charset.ellipsis, charset: charset)
        let end = DisplayText.fits(last, columns: room, charset: charset) ? last : String(last.dropLast(2))
        return lines.prefix(count - 1) + [end + charset.ellipsis]
    }

    /// A label, a value in as many lines as it needs, and a note after or below it.
    ///
    /// - Parameter label: padded to the column at which the value starts.
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
        let whole = last.adding("  \(note)", noteStyle)
        if whole.width(charset) <= columns {
            lines[lines.count - 1] = whole
            return lines
        }
        return lines
            + inner.lines(of: note, noteStyle).map { line in
                line.spans.reduce(margin) { $0.adding($1.text, $1.style) }
            }
    }
}
