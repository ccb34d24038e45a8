import TerminalUI

/// What the title says besides names: which environment this is, and that nothing can be changed. Always in words.
struct TitleBadges {
    let state: MenuState

    /// Columns that all badges take, with the space before each.
    var width: Int { parts.reduce(0) { $0 + 2 + DisplayText.width($1.text, charset: state.charset) } }

    /// Draws them behind the title and tells where they end.
    func draw(at column: Int, limit: Int, on frame: inout Frame) -> Int {
        var end = column
        for (text, style) in parts where limit - end > 3 {
            end = frame.write(clipping: text, row: 0, column: end + 2, columns: limit - end - 2, style: style)
        }
        return end
    }

    private var parts: [(text: String, style: Style)] {
        var parts: [(String, Style)] = []
        let environment = state.preferences.environment
        if !environment.isEmpty {
            let style = Self.isProduction(environment) ? state.theme.invalidMarker : state.theme.accent.reversed()
            parts.append((" \(DisplayText.safe(environment, charset: state.charset)) ", style))
        }
        if state.preferences.isReadOnly { parts.append(("read-only", state.theme.title)) }
        return parts
    }

    /// Whether people are served there, as far as a name tells.
    static func isProduction(_ environment: String) -> Bool {
        let words = environment.lowercased().split { !$0.isLetter }
        return words.contains { ["prod", "prd", "production", "live"].contains($0) }
    }
}
