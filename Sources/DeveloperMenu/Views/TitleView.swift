import FlagModel
import TerminalUI

/// The first line: what is open, how old it is, and how many overrides are in force, which is never left out.
struct TitleView {
    let state: MenuState

    func draw(on frame: inout Frame) {
        let width = frame.size.columns
        let count = state.overrideCount
        let overridden = count == 0 ? "nothing overridden" : " * \(count) overridden "
        frame.write(
            overridden, row: 0, endingBefore: width - 1, style: count == 0 ? state.theme.faint : state.theme.overridden)
        let room = width - DisplayText.width(overridden) - 4
        let isWide = width >= Layout.roomy.columns
        let name = isWide ? "FlagMenu \(state.charset.separator) \(state.subject.app)" : state.subject.app
        let badges = TitleBadges(state: state)
        // Where there is little room, the name gives way before the badges do.
        let nameRoom = max(min(room, 4), room - badges.width)
        var end = frame.write(clipping: name, row: 0, column: 1, columns: nameRoom, style: state.theme.title)
        end = badges.draw(at: end, limit: room + 1, on: &frame)
        guard isWide else { return }
        let start = end + 3
        frame.write(clipping: source, row: 0, column: start, columns: room - start, style: sourceStyle)
    }

    private var source: String {
        let waiting =
            state.waitingCount.map { count in
                // What differs may be options, titles or conditions alone.
                let words = count > 0 ? count.counted("value waits", "values wait") : "an update waits"
                return ", \(words) (\(state.keyName(of: .activate)))"
            } ?? ""
        switch state.remote {
        case .loading: return "\(state.subject.source), \(state.fetch?.words ?? "reading")"
        case .loaded(let moment): return "\(state.subject.source), \(moment.age(at: state.now))\(waiting)"
        case .failed(let kept?): return "\(state.subject.source), kept from \(kept.age(at: state.now))\(waiting)"
        case .failed(nil): return "\(state.subject.source), not read"
        }
    }

    private var sourceStyle: Style {
        if case .failed = state.remote { return state.theme.error }
        return state.theme.plain
    }
}
