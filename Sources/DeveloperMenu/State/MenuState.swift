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
    /// What the terminal's background is; `nil` as long as nobody knows.
    public internal(set) var terminalBackground: TerminalBackground?
    /// What the terminal can draw.
    public internal(set) var charset: Charset
    /// What the terminal can draw; preferences may ask for less.
    let terminalCharset: Charset
    /// The moment from which ages are counted.
    public internal(set) var now: Timestamp
    /// Flags and their values.
    public internal(set) var board: FlagBoard
    /// How the remote values are doing.
    public internal(set) var remote = RemoteValuesStatus()
    /// How the override file is doing.
    public internal(set) var store = StoreStatus()
    /// Why changes made elsewhere do not arrive by themselves, a sentence each: of the store and of the configuration.
    public internal(set) var watchErrors: [String] = []
    /// How many columns the list of these flags needs.
    var needs: ColumnNeeds
    /// The list of flags.
    public internal(set) var list = FlagList()
    /// What has the keyboard.
    public internal(set) var mode: Mode = .list
    /// Where everything was drawn last, and what lies there for the mouse.
    var layout: Layout
    /// What the menu says.
    public internal(set) var messages = MessageLog()
    /// The commands that do in a shell what was done last; none before the first change.
    public internal(set) var lastCommands: [ShellCommand] = []
    /// Why the menu is about to close; `nil` while it is open.
    public internal(set) var ending: Ending?
    /// What the user prefers.
    public internal(set) var preferences: Preferences = .standard
    /// The theme that was switched to since; `nil` while it is that of the preferences.
    var chosenTheme: Preferences.ThemeChoice?
    /// Whether the mouse was switched on or off since; `nil` while it is as the preferences say.
    var chosenMouse: Bool?
    /// `false` until preferences have come for the first time.
    var arePreferencesKnown = false
    /// The keys of now.
    public internal(set) var keymap: Keymap = .standard
    /// The styles of now.
    public internal(set) var theme: Theme = .dark
    /// `true` once the user was told that leaving loses what could not be saved.
    var isWarnedOfLoss = false
    /// The id of the next request.
    private var nextRequestID = RemoteValuesStatus.startupFetch + 1
    /// What keys wait for at the start; empty once it was read or has taken too long.
    var awaitedReadings: Set<FirstReading> = [.remote, .overrides]
    /// Keys that mean flags which are still being read or searched for, in the order in which they were typed.
    package internal(set) var typeAhead: [KeyPress] = []

    /// A menu that has been opened and has read nothing yet.
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

    /// An id for an effect that is answered by an event.
    mutating func makeRequestID() -> RequestID {
        defer { nextRequestID += 1 }
        return nextRequestID
    }

    /// `true` when the menu may close: it is about to, and nothing that was requested is still on its way.
    public var isFinished: Bool { ending != nil && !isWorking }

    /// `true` while a change has been requested and not been answered.
    var isWorking: Bool { store.isChanging || remote.isChanging }

    /// `true` once there is enough to show for a first screen.
    public var isReadyToShow: Bool { remote.phase != .loading && !isAwaitingOpen }

    /// `true` when everything that was requested has been answered, by the disk and by the remote sources.
    public var isSettled: Bool {
        !isWorking && remote.activity == .idle && !list.isSearching && !isAwaitingReport && !isAwaitingHistory
            && !isAwaitingFile && !isAwaitingOpen
    }

    /// The last thing to say; gone with the next key press.
    public var message: Message? { messages.current }

    /// The number of overrides in force.
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
        /// `true` where the menu has no use without remote values: a file that cannot be read now will not come by itself.
        public let needsSource: Bool
        /// Options that make a command work on the same app, sources and store.
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
        /// The user goes on with something else, which was read already.
        case reopened(OpenTarget)
        /// The user left by Ctrl-C.
        case interrupted
        /// There has never been anything to show; the reason is a sentence.
        case withoutSource(reason: String)
    }

    /// Something to say on the line above the footer.
    public struct Message: Sendable, Equatable {
        /// How much it matters.
        public enum Kind: Sendable, Equatable {
            /// Something was done.
            case news
            /// A flag was changed: its key, the value before, an arrow and the value after.
            case change
            /// Something was done by somebody else.
            case elsewhere
            /// Something was not done.
            case refusal
            /// Something is wrong.
            case error
        }

        /// A sentence.
        public let text: String
        /// How much it matters.
        public let kind: Kind
    }
}
