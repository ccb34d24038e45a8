/// Text in the format of man pages, man(7).
struct Roff {
    private(set) var text = ""

    mutating func title(_ name: String, section: Int) { text += ".TH \(name) \(section)\n" }
    mutating func section(_ name: String) { text += ".SH \(escaped(name))\n" }
    mutating func subsection(_ name: String) { text += ".SS \(escaped(name))\n" }
    mutating func paragraph(_ words: String) { text += ".PP\n\(escaped(words))\n" }

    /// Adds the paragraphs of a text, separated by empty lines. Paragraphs of examples keep their line breaks.
    mutating func discussion(_ words: String) {
        for paragraphText in words.split(separator: "\n\n") {
            paragraphText.hasPrefix("EXAMPLE") ? literal(String(paragraphText)) : paragraph(String(paragraphText))
        }
    }

    /// Adds lines without filling them.
    mutating func literal(_ lines: String) { text += ".PP\n.nf\n\(escaped(lines))\n.fi\n" }
    /// Adds lines of up to 80 columns, without filling or indenting them.
    mutating func verbatim(_ lines: String) { text += ".PP\n.in 0\n.nf\n\(escaped(lines))\n.fi\n.in\n" }
    mutating func item(_ term: String, _ words: String) { text += ".TP\n.B \(escaped(term))\n\(escaped(words))\n" }
    mutating func subitem(_ term: String, _ words: String) {
        text += ".RS\n.TP\n\(escaped(term))\n\(escaped(words))\n.RE\n"
    }

    /// Escapes backslashes and hyphens, and lines that roff would read as a request.
    private func escaped(_ words: String) -> String {
        words.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : String(line)
        }.joined(separator: "\n")
    }
}
