public import FlagModel
public import FlagQueries
public import TerminalUI

/// The complete state of the menu: the view is a function of this value.
public struct MenuState: Sendable, Equatable {
    /// The app and the source that the menu is opened on.
    public let target: Target
    /// Whether the menu can be opened on other apps or sources.
    public let opensOthers: Bool
    /// The size of the screen.
    public internal(set) var size: Size
    /// The terminal's background; `nil` if it is not known.
    public internal(set) var terminalBackground: TerminalBackground?
    /// The characters that the menu draws: all that the terminal can draw, or fewer if the preferences say so.
    public internal(set) var charset: Charset
    /// The characters that the terminal can draw.
    let terminalCharset: Charset
    /// The time of the last event. Ages are computed from this time.
    public internal(set) var now: FlagTimestamp
    /// The flags and their values.
    public internal(set) var board: FlagBoard
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
    /// The list of flags.
    public internal(set) var list = FlagList()
    /// The part of the menu that has the keyboard.
    var mode: Mode = .list
    /// The layout after the last event, including the areas that the mouse can click.
    var layout: Layout
    /// The messages of the menu.
    public internal(set) var messages = MessageLog()
    /// The shell commands equivalent to the last change; empty before the first change.
    public internal(set) var lastCommands: [ShellCommand] = []
    /// Why the menu is about to close; `nil` while it stays open.
    public internal(set) var ending: Ending?
    /// The preferences.
    public internal(set) var preferences: Preferences = .standard
    /// The theme that the user switched to; `nil` for the theme of the preferences.
    var chosenTheme: Preferences.ThemeChoice?
    /// Whether the user switched the mouse on or off; `nil` for the setting of the preferences.
    var chosenMouse: Bool?
    /// Whether the preferences have been read.
    var arePreferencesKnown = false
    /// The current keys.
    public internal(set) var keymap: Keymap = .standard
    /// The current styles.
    public internal(set) var theme: Theme = .dark
    /// Whether the user has been warned that leaving loses unsaved changes.
    var isWarnedOfLoss = false
    /// The id of the next request.
    private var nextRequestID = RemoteValuesStatus.startupFetch + 1
    /// The initial readings that type-ahead still waits for; also empty if these readings take too long.
    var awaitedReadings: Set<FirstReading> = [.remote, .overrides]
    /// The type-ahead: keys for flags that are still being read or searched, in the order in which they were typed.
    package internal(set) var typeAhead: [KeyPress] = []

    /// A menu that was opened and has read nothing yet.
    public init(
        target: Target, size: Size, charset: Charset = .unicode, now: FlagTimestamp,
        layers: LayerValues = LayerValues(),
        team: String? = nil, greeting: String? = nil, opensOthers: Bool = false
    ) {
        (self.target, self.opensOthers) = (target, opensOthers)
        self.team = team.map(TeamStatus.init)
        self.size = size
        self.charset = charset
        terminalCharset = charset
        self.now = now
        board = FlagBoard(layers)
        needs = ColumnNeeds(board, charset: charset)
        layout = Layout(size: size, needs: needs, noticeRows: 0)
        if let greeting { messages.show(Message(text: greeting, kind: .updates), at: now) }
        layOut()
    }

    /// Measures the columns of the list again.
    mutating func measureColumns() {
        needs = ColumnNeeds(board, charset: charset)
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
    public var isReadyToShow: Bool { remote.phase != .loading && !isAwaitingOpen }

    /// Whether no request is pending, neither for the disk nor for the remote sources.
    public var isSettled: Bool {
        !isWorking && remote.activity == .idle && !list.isSearching && mode.sheet?.isWaiting != true
    }

    /// The last message; cleared by the next key press.
    public var message: Message? { messages.current }

    /// The number of changes: active overrides, conditions set by hand, and attributes of contexts.
    public var changeCount: Int { changes.changeCount }

    /// The changes with pending edits of overrides on top.
    var changes: OverrideTable {
        OverrideTable(overrides: board.values.overrides, contexts: store.table.contexts)
    }

    /// The conditions and attributes that the tester changed.
    var changedParts: [ContextPart] { store.table.contexts.isEmpty ? [] : store.table.contexts.parts.keys.sorted() }

    /// The part of the menu that has the keyboard.
    public var part: MenuPart { mode.part }

    /// Whether a filter or "overridden only" is set, which may hide flags.
    public var isNarrowed: Bool { !list.filter.text.isEmpty || list.showsChangesOnly }

    /// The facts of a flag, listed or not.
    func facts(of key: FlagText) -> FlagFacts { board.facts(of: key) }

    /// The facts of flags, listed or not.
    func facts(ofKeys keys: [String]) -> [FlagFacts] { keys.map { facts(of: FlagText($0)) } }

    /// The selected flag; `nil` if no flag is listed.
    public var selected: FlagFacts? { list.selectedPlace.map(board.facts(at:)) }
}

extension MenuState {
    /// The app and the source that a menu is opened on.
    public struct Target: Sendable, Equatable {
        /// The app's id; empty if nothing is open.
        public let app: String
        /// The source as the title names it, such as a file's name.
        public let source: String
        /// The options with which `flagmenu` commands use the same app, sources and store.
        public let arguments: [String]

        /// Whether nothing is open, so that the user has to choose first, and closing the choice quits.
        var isNone: Bool { app.isEmpty }

        /// A target, with its names for the title and for messages.
        public init(app: String, source: String, arguments: [String] = []) {
            self.arguments = arguments
            self.app = app
            self.source = source
        }
    }

    /// Why the menu closes.
    public enum Ending: Sendable, Equatable {
        /// The user left.
        case left
        /// The user selected another target. The target has been read, and the next menu opens on it.
        case reopened(OpenTarget)
        /// The user pressed Ctrl-C.
        case interrupted
    }

    /// A message on the line above the footer.
    public struct Message: Sendable, Equatable {
        /// The kind of message.
        public enum Kind: Sendable, Equatable {
            /// A result, such as of a fetch.
            case updates
            /// One changed flag: its key, the old value, an arrow and the new value.
            case change
            /// A change made by another process.
            case elsewhere
            /// Why something is not possible.
            case rejection
            /// An error.
            case error
        }

        /// A sentence.
        public let text: String
        /// The kind.
        public let kind: Kind
    }
}
