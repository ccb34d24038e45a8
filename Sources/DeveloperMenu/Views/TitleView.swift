import FlagModel
import FlagQueries
import TerminalUI

/// The first line: the app, the badges, the status of each source, and the number of active overrides.
struct TitleView {
    let state: MenuState

    func draw(on frame: inout Frame) {
        let width = frame.size.columns
        guard !state.target.isNone else {
            return _ = frame.write(
                clipping: "FlagMenu", row: 0, column: 1, columns: width - 1, style: state.theme.title)
        }
        let count = state.changeCount
        let overridden = count == 0 ? "nothing changed" : " \(count) changed "
        frame.write(
            overridden, row: 0, endingBefore: width - 1, style: count == 0 ? state.theme.faint : state.theme.changed)
        let room = width - DisplayText.width(overridden) - 4
        let isWide = width >= Layout.roomy.columns
        let name = isWide ? "FlagMenu \(state.charset.separator) \(state.target.app)" : state.target.app
        let badges = badges
        let badgeColumns = badges.reduce(0) { $0 + 2 + DisplayText.width($1.text, charset: state.charset) }
        // If there is little room, the name is shortened before the badges.
        let nameRoom = max(min(room, 4), room - badgeColumns)
        var end = frame.write(clipping: name, row: 0, column: 1, columns: nameRoom, style: state.theme.title)
        for (text, style) in badges where room + 1 - end > 3 {
            end = frame.write(clipping: text, row: 0, column: end + 2, columns: room - end - 1, style: style)
        }
        let (title, start) = (SourceTitle(state: state), end + 3)
        if isWide {
            frame.write(title.line(columns: room - start), row: 0, column: start, columns: room - start)
        } else if let waiting = title.shortWaiting, DisplayText.fits(waiting, columns: room - start) {
            frame.write(clipping: waiting, row: 0, column: start, columns: room - start, style: state.theme.plain)
        }
    }
    /// The environment, and whether the menu is read-only.
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
