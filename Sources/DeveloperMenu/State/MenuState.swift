public import FlagModel
public import TerminalUI

/// Everything the menu shows, and nothing else: the view is a function of this value.
public struct MenuState: Sendable, Equatable {
    /// What the menu is opened on.
    public let subject: Subject
    /// Whether the menu can be opened on something else.
    public let opensOthers: Bool
    /// The size of the screen.
    public internal(set) var size: Size
    /// The terminal's background; `nil` if it is not known.
    public internal(set) var terminalBackground: TerminalBackground?
    /// What the terminal can draw.
    public internal(set) var charset: Charset
    /// What the terminal can draw; preferences may limit it.
    let terminalCharset: Charset
    /// The time that ages count from.
    public internal(set) var now: Timestamp
    /// Flags and their values.
    public internal(set) var board: FlagBoard
    /// The status of the remote values.
    public internal(set) var remote = RemoteValuesStatus()
    /// The status of the override file.
    public internal(set) var store = StoreStatus()
    /// Why changes by other processes do not arrive by themselves, a sentence each: of the store and of the
    /// configuration.
    public internal(set) var watchErrors: [String] = []
    /// How many columns the list of these flags needs.
    var needs: ColumnNeeds
    /// The list of flags.
    public internal(set) var list = FlagList()
    /// What has the keyboard.
    public internal(set) var mode: Mode = .list
    /// The last layout, with its areas for the mouse.
    var layout: Layout
    /// The messages of the menu.
    public internal(set) var messages = MessageLog()
    /// The shell commands equivalent to the last change; none before it.
    public internal(set) var lastCommands: [ShellCommand] = []
    /// Why the menu is about to close; `nil` if it is not.
    public internal(set) var ending: Ending?
    /// The preferences.
    public internal(set) var preferences: Preferences = .standard
    /// The theme that was switched to since; `nil` for that of the preferences.
    var chosenTheme: Preferences.ThemeChoice?
    /// Whether the mouse was switched on or off since; `nil` for that of the preferences.
    var chosenMouse: Bool?
    /// `false` until the preferences are read.
    var arePreferencesKnown = false
    /// The current keys.
    public internal(set) var keymap: Keymap = .standard
    /// The current styles.
    public internal(set) var theme: Theme = .dark
    /// `true` after the warning that leaving loses unsaved changes.
    var isWarnedOfLoss = false
    /// The id of the next request.
    private var nextRequestID = RemoteValuesStatus.startupFetch + 1
    /// What type-ahead waits for at the start; empty once that was read or has taken too long.
    var awaitedReadings: Set<FirstReading> = [.remote, .overrides]
    /// The type-ahead: keys for flags that are still being read or searched, in the order in which they were typed.
    package internal(set) var typeAhead: [KeyPress] = []

    /// A menu that was opened and has read nothing yet.
    public init(
        subject: Subject, size: Size, charset: Charset = .unicode, now: Timestamp, layers: LayerValues = LayerValues(),
        greeting: String? = nil, opensOthers: Bool = false
    ) {
        (self.subject, self.opensOthers) = (subject, opensOthers)
        self.size = size
        self.charset = charset
        terminalCharset = charset
        self.now = now
        board = FlagBoard(layers)
        needs = ColumnNeeds(board, charset: charset)
        layout = Layout(size: size, needs: needs, noticeRows: 0)
        if let greeting { messages.say(Message(text: greeting, kind: .news), at: now) }
        layOut()
    }

    /// An id for an effect with a response event.
    mutating func makeRequestID() -> RequestID {
        defer { nextRequestID += 1 }
        return nextRequestID
    }

    /// `true` if the menu may close: it is about to, and no request is pending.
    public var isFinished: Bool { ending != nil && !isWorking }

    /// `true` while a requested change is pending.
    var isWorking: Bool { store.isChanging || remote.isChanging }

    /// `true` if there is enough to show for a first screen.
    public var isReadyToShow: Bool { remote.phase != .loading && !isAwaitingOpen }

    /// `true` if no request is pending, neither for the disk nor for the remote sources.
    public var isSettled: Bool {
        !isWorking && remote.activity == .idle && !list.isSearching && !isAwaitingReport && !isAwaitingHistory
            && !isAwaitingFile && !isAwaitingOpen
    }

    /// The last message; cleared by the next key press.
    public var message: Message? { messages.current }

    /// The number of active overrides.
    public var overrideCount: Int { board.values.overrides.count }

    /// `true` while a filter or "overridden only" hides flags.
    public var isNarrowed: Bool { !list.filter.text.isEmpty || list.showsOverriddenOnly }

    /// The selected flag, if one is listed.
    public var selected: FlagFacts? { list.selectedPlace.map(board.facts(at:)) }
}

extension MenuState {
    /// What the menu is opened on.
    public struct Subject: Sendable, Equatable {
        /// The app's id.
        public let app: String
        /// The source as the title names it, such as a file's name.
        public let source: String
        /// `true` if the menu is of no use without remote values: a file that cannot be read now will not appear by
        /// itself.
        public let needsSource: Bool
        /// Options for commands on the same app, sources and store.
        public let arguments: [String]

        /// Names for the title and for messages.
        public init(app: String, source: String, needsSource: Bool = false, arguments: [String] = []) {
            self.arguments = arguments
            self.needsSource = needsSource
            self.app = app
            self.source = source
        }
    }

    /// How the menu ends.
    public enum Ending: Sendable, Equatable {
        /// The user left.
        case left
        /// The user continues with something else, which was read already.
        case reopened(OpenTarget)
        /// The user pressed Ctrl-C.
        case interrupted
        /// There was never anything to show; the reason is a sentence.
        case withoutSource(reason: String)
    }

    /// A message on the line above the footer.
    public struct Message: Sendable, Equatable {
        /// The kind of message.
        public enum Kind: Sendable, Equatable {
            /// Something was done.
            case news
            /// A flag was changed: its key, the value before, an arrow and the value after.
            case change
            /// Something was done by another process.
            case elsewhere
            /// Something was not possible.
            case refusal
            /// An error.
            case error
        }

        /// A sentence.
        public let text: String
        /// The kind.
        public let kind: Kind
    }
}
