public import FlagModel
public import FlagQueries
public import TerminalUI

/// The complete state of the menu: the view is a function of this value.
public struct MenuState: Sendable, Equatable {
    /// The app and the source that the menu is opened on.
    public let target: MenuTarget
    /// Whether the menu can be opened on other apps or sources.
    public let opensOthers: Bool
    /// The size of the screen.
    public internal(set) var size: Size
    /// The time of the last event. Ages are computed from this time.
    public internal(set) var now: FlagTimestamp
    /// The time zone of times that the user types.
    var localZone: LocalZone
    /// The status of the remote values.
    public internal(set) var remote = RemoteValuesStatus()
    /// The status of the team's overrides; `nil` without a team.
    public internal(set) var team: TeamStatus?
    /// The running apps.
    public internal(set) var apps = AppsStatus()
    /// The status of the override file.
    public internal(set) var store = StoreStatus()
    /// Why the override file or the configuration file cannot be watched for changes, one sentence each.
    public internal(set) var watchErrors: [String] = []
    /// The column widths at which the list shows every text in full.
    var needs: ColumnNeeds
    /// The list of flags, with the flags and their values.
    public internal(set) var list: FlagList
    /// The part of the menu that has the keyboard.
    var mode = MenuMode.list
    /// The layout after the last event, including the areas that the mouse can click.
    var layout: Layout
    /// The entry of the open sheet that was clicked last; `nil` after a key press. A second click chooses it.
    var clickedEntry: Int?
    /// The messages of the menu.
    public internal(set) var messages = MessageLog()
    /// The shell commands equivalent to the last change; empty before the first change.
    public internal(set) var lastCommands: [ShellCommand] = []
    /// Why the menu is about to close; `nil` while it stays open.
    public internal(set) var ending: MenuEnding?
    /// The user's preferences, and what the user switched.
    public internal(set) var settings: UserSettings
    /// Whether the user has been warned that leaving loses unsaved changes.
    var isWarnedOfLoss = false
    /// The id of the next request.
    private var nextRequestID = RemoteValuesStatus.startupFetch + 1
    /// The initial readings that type-ahead still waits for; also empty if these readings take too long.
    var awaitedReadings: Set<FirstReading> = [.remote, .overrides]
    /// The type-ahead: keys for flags that are still being read, in the order in which they were typed.
    package internal(set) var typeAhead: [KeyPress] = []

    /// A menu that was opened and has read nothing yet.
    public init(
        target: MenuTarget, size: Size, charset: Charset = .unicode, now: FlagTimestamp,
        layers: LayerValues = LayerValues(),
        team: String? = nil, greeting: String? = nil, opensOthers: Bool = false,
        localZone: LocalZone = LocalZone { _ in 0 }
    ) {
        (self.target, self.opensOthers, self.size, self.now) = (target, opensOthers, size, now)
        self.localZone = localZone
        self.team = team.map(TeamStatus.init)
        settings = UserSettings(charset)
        list = FlagList(FlagBoard(layers))
        needs = ColumnNeeds(list.board, charset: charset)
        layout = Layout(size: size, needs: needs, noticeRows: 0)
        if let greeting { messages.show(MenuMessage(greeting), at: now) }
        layOut()
    }

    /// A new id, for an effect and its response event.
    mutating func makeRequestID() -> RequestID {
        defer { nextRequestID += 1 }
        return nextRequestID
    }

    /// Whether the menu can close now: it is about to close, and no change is pending.
    public var isFinished: Bool { ending != nil && !isWorking }

    /// Whether a requested change is pending.
    var isWorking: Bool { store.isChanging || remote.isChanging || team?.pending.isEmpty == false }

    /// Whether there is enough content for the first screen.
    public var isReadyToShow: Bool { remote.condition != nil && !isAwaitingOpen }

    /// The seconds until a time on the screen is no longer true: a minute for ages, or less for an end in view.
    package var secondsToTick: Int {
        let seconds = list.endsInView.filter { $0 > now }.map { Int(($0.seconds - now.seconds - 1) % 60) + 1 }
        return seconds.min() ?? 60
    }

    /// Whether no request is pending, neither for the disk nor for the remote sources.
    public var isSettled: Bool {
        !isWorking && remote.activity == .idle && mode.sheet?.isWaiting != true
    }

    /// The last message; cleared by the next key press.
    public var message: MenuMessage? { messages.current }

    /// The number of changes: active overrides, conditions set by hand, and attributes of contexts.
    public var changeCount: Int { changes.changeCount }

    /// The changes with pending edits of overrides on top.
    var changes: OverrideTable {
        OverrideTable(
            overrides: board.values.overrides, contexts: store.table.contexts, scenario: store.table.scenario)
    }

    /// A sentence about the changes that stay active after leaving the menu, as apps still use them; `nil` if there are
    /// none.
    public var lastingOverrides: String? {
        guard let bisectNotice else {
            return target.sentence(about: changes, at: now, isReadOnly: preferences.isReadOnly)
        }
        let command = commands.command("bisect").text.map { "`\($0)`, or " } ?? ""
        let keys = "\(keyName(of: "bisect")) and \(keyName(of: "stop", in: BisectSheet.part)) in the menu"
        return "\(bisectNotice) To stop it and restore them: \(command)\(keys)."
    }

    /// The part of the menu that has the keyboard.
    public var part: MenuPart { mode.part }

    /// The facts of a flag, listed or not.
    func facts(of key: FlagText) -> FlagFacts { board.facts(of: key) }

    /// The selected flag; `nil` if no flag is listed.
    public var selected: FlagFacts? { list.selected }
}

// What the parts of the state offer to all sheets and views.
extension MenuState {
    /// The flags and their values.
    public var board: FlagBoard { list.board }

    /// The preferences.
    public var preferences: Preferences { settings.preferences }

    /// The characters that the menu draws.
    public var charset: Charset { settings.charset }

    /// The current keys.
    public var keymap: Keymap { settings.keymap }

    var theme: Theme { settings.theme }
}

/// A time zone. Two are always equal: a menu has one, and a function cannot be compared.
public struct LocalZone: Sendable, Equatable {
    /// The seconds by which the local clock is ahead of UTC at a time.
    let utcOffset: @Sendable (FlagTimestamp) -> Int

    /// The zone whose clock is ahead of UTC by the seconds that the function returns for a time.
    public init(utcOffset: @escaping @Sendable (FlagTimestamp) -> Int) { self.utcOffset = utcOffset }

    /// `true`.
    public static func == (left: Self, right: Self) -> Bool { true }
}
