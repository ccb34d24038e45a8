import FlagModel
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
        let badges = TitleBadges(state: state)
        // If there is little room, the name is shortened before the badges.
        let nameRoom = max(min(room, 4), room - badges.width)
        var end = frame.write(clipping: name, row: 0, column: 1, columns: nameRoom, style: state.theme.title)
        end = badges.draw(at: end, limit: room + 1, on: &frame)
        let (title, start) = (SourceTitle(state: state), end + 3)
        if isWide {
            frame.write(title.line(columns: room - start), row: 0, column: start, columns: room - start)
        } else if let waiting = title.shortWaiting, DisplayText.fits(waiting, columns: room - start) {
            frame.write(clipping: waiting, row: 0, column: start, columns: room - start, style: state.theme.plain)
        }
    }
}
