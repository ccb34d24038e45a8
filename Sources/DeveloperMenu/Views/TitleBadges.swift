import FlagQueries
import TerminalUI

/// The badges in the title: the environment, and whether the menu is read-only.
struct TitleBadges {
    let state: MenuState

    /// The width of all badges, including the space before each.
    var width: Int { badges.reduce(0) { $0 + 2 + DisplayText.width($1.text, charset: state.charset) } }

    /// Draws the badges after the name, and returns the column after them.
    ///
    /// - Parameter limit: the column before which the badges end.
    func draw(at column: Int, limit: Int, on frame: inout Frame) -> Int {
        var end = column
        for (text, style) in badges where limit - end > 3 {
            end = frame.write(clipping: text, row: 0, column: end + 2, columns: limit - end - 2, style: style)
        }
        return end
    }

    private var badges: [(text: String, style: Style)] {
        var badges: [(String, Style)] = []
        let environment = state.preferences.environment
        if !environment.isEmpty {
            let style = Self.isProduction(environment) ? state.theme.invalidMarker : state.theme.accent.reversed()
            badges.append((" \(DisplayText.safe(environment, charset: state.charset)) ", style))
        }
        if state.preferences.isReadOnly { badges.append(("read-only", state.theme.title)) }
        return badges
    }

    /// Whether an environment's name is that of a production environment.
    static func isProduction(_ environment: String) -> Bool {
        let words = environment.lowercased().split { !$0.isLetter }
        return words.contains { ["prod", "prd", "production", "live"].contains($0) }
    }
}
