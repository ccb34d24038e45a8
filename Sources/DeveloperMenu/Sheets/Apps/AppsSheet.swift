import FlagModel
import FlagQueries

/// The sheet of the running apps or, after one was chosen, of the flags that its code declares.
public struct AppsSheet: Sendable, Equatable {
    /// The app whose flags are listed; `nil` for the list of apps.
    var app: RunningApp?
    /// The index of the selected row.
    var selection = 0
    /// The app or the flag of the selected row, which stays selected when other apps start or end.
    private var selectedID: String?

    /// The ids of the rows: of apps, or the keys of flags.
    func ids(in state: MenuState) -> [String] { app?.flags.map(\.key) ?? state.apps.running.map(\.id) }

    mutating func select(_ index: Int, in state: MenuState) {
        let ids = ids(in: state)
        selection = max(0, min(index, ids.count - 1))
        selectedID = ids.indices.contains(selection) ? ids[selection] : nil
    }

    /// Shows the newest announcements.
    mutating func update(in state: MenuState) {
        // The flags of an app that has ended stay in view.
        if let app { self.app = state.apps.running.first { $0.id == app.id } ?? app }
        select(selectedID.flatMap { ids(in: state).firstIndex(of: $0) } ?? selection, in: state)
    }

    /// Lists the flags of the selected app.
    mutating func openSelected(in state: MenuState) {
        guard app == nil, state.apps.running.indices.contains(selection) else { return }
        app = state.apps.running[selection]
        select(0, in: state)
    }

    /// Lists the apps again.
    mutating func goBack(in state: MenuState) {
        let id = app?.id
        app = nil
        select(state.apps.running.firstIndex { $0.id == id } ?? 0, in: state)
    }
}
