import FlagModel
import FlagQueries
import TerminalUI

extension MenuPart {
    /// The list of running apps.
    public static let apps = MenuPart(id: "apps", heading: "In the list of running apps", opener: "apps")
    /// The flags of one running app.
    public static let appFlags = MenuPart(id: "appFlags", heading: "In the flags of an app", opener: "apps")
}

extension AppsSheet: Sheet {
    static var parts: [(part: MenuPart, actions: [Action])] {
        [
            (.apps, appActions + movements + ActionTable.programAndHelp),
            (.appFlags, flagActions + movements + ActionTable.programAndHelp),
        ]
    }

    private static let appActions: [Action] = [
        Action(
            .accept, [.enter, " ", .right, "l"], label: "its flags", help: "Show the flags of the app.",
            disabledReason: { $0.apps.running.isEmpty ? "No app is running." : nil }
        ) { $0.openSelectedApp() },
        Action(.cancel, [.escape, "q", "A"], label: "back", help: "Close the list.", .isWayOut, rank: .always) {
            $0.closeSheet()
        },
    ]

    private static let flagActions: [Action] = [
        Action(
            .accept, [.enter], label: "go to flag", help: "Go to the flag in the list.",
            disabledReason: { state in
                state.sheet(AppsSheet.self).flatMap { $0.app?.flags.isEmpty == false ? nil : $0.emptySentence }
            }
        ) { $0.goToFlagOfApp() },
        Action(
            .cancel, [.escape, "q", .left, "h"], label: "back", help: "Go back to the running apps.", .isWayOut,
            rank: .always
        ) { $0.goBackToApps() },
    ]

    private static let movements: [Action] = [
        .moving(.down, [.down, "j", .control("n")], help: "Move to the next row."),
        .moving(.up, [.up, "k", .control("p")], help: "Move to the previous row."),
        .moving(.pageDown, [.pageDown], help: "Move one page down."),
        .moving(.pageUp, [.pageUp], help: "Move one page up."),
        .moving(.first, [.home, "g"], help: "Move to the first row."),
        .moving(.last, [.end, "G"], help: "Move to the last row."),
    ]

    var part: MenuPart { app == nil ? .apps : .appFlags }
    var mode: MenuState.Mode { .apps(self) }

    mutating func move(_ movement: Movement, in state: MenuState) {
        let count = ids(in: state).count
        select(movement.index(after: selection, of: count, page: max(1, state.layout.sheetRows - 1)), in: state)
    }

    mutating func layOut(in state: MenuState) { update(in: state) }
}

extension MenuState {
    mutating func openApps() -> [Effect] {
        var sheet = AppsSheet()
        sheet.select(0, in: self)
        mode = .apps(sheet)
        return []
    }

    fileprivate mutating func openSelectedApp() -> [Effect] {
        let state = self
        changeSheet(AppsSheet.self) { $0.openSelected(in: state) }
        return []
    }

    fileprivate mutating func goBackToApps() -> [Effect] {
        let state = self
        changeSheet(AppsSheet.self) { $0.goBack(in: state) }
        return []
    }

    fileprivate mutating func goToFlagOfApp() -> [Effect] {
        guard let sheet = sheet(AppsSheet.self), let flags = sheet.app?.flags, flags.indices.contains(sheet.selection)
        else { return [] }
        goToFlag(FlagText(flags[sheet.selection].key))
        return []
    }

    /// Closes the sheet and selects a flag in the list, which shows all flags again if it hides this one.
    mutating func goToFlag(_ key: FlagText) {
        mode = .list
        if row(of: key) == nil { _ = showAll() }
        chooseFlag(key)
    }
}
