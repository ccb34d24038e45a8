import TerminalUI

/// What the title shows besides names: the environment, and read-only. Always in words.
struct TitleBadges {
    let state: MenuState

    /// Columns that all badges take, with the space before each.
    var width: Int { parts.reduce(0) { $0 + 2 + DisplayText.width($1.text, charset: state.charset) } }

    /// Draws them after the title and returns where they end.
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

    /// Whether it is a production environment, by its name.
    static func isProduction(_ environment: String) -> Bool {
        let words = environment.lowercased().split { !$0.isLetter }
        return words.contains { ["prod", "prd", "production", "live"].contains($0) }
    }
}
