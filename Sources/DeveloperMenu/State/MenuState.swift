public import FlagModel
public import TerminalUI

/// Everything the menu shows, and nothing else: the view is a function of this value.
public struct MenuState: Sendable, Equatable {
    /// What the menu is opened on.
    public let subject: Subject
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
    /// How the remote sources stand.
    public internal(set) var remote: RemotePhase = .loading
    /// The asking of sources that is under way; `nil` while nobody is asked.
    public internal(set) var fetch: FetchStanding?
    /// How each of the sources stands; empty where that is not known.
    public internal(set) var sources: [SourceStanding] = []
    /// Why sources tell of no changes, by their places.
    var silences: [Int: String] = [:]
    /// How many fetched values wait for activation; `nil` when none were fetched.
    public internal(set) var waitingCount: Int?
    /// For whom sources are evaluated and by which conditions, of those of which there is any of that.
    public internal(set) var evaluations: [SourceEvaluation] = [] {
        didSet { followContext(from: oldValue) }
    }
    /// The same as they were told last, without changes that have not been answered.
    var knownEvaluations: [SourceEvaluation] = []
    /// What is wrong with a source or the store, kept on the screen until it is mended.
    public internal(set) var problems = Problems() {
        didSet {
            for text in problems.all where !oldValue.all.contains(text) { remember(Message(text: text, kind: .error)) }
        }
    }
    /// Overrides as they are on disk.
    public internal(set) var stored = OverrideTable()
    /// Edits on their way to the disk, oldest first.
    public internal(set) var pending: [PendingEdit] = []
    /// Edits that could not be saved and wait for a retry.
    public internal(set) var unsaved: [OverrideEdit] = []
    /// The list of flags.
    public internal(set) var list = FlagList()
    /// What has the keyboard.
    public internal(set) var mode: Mode = .list
    /// The last thing to say; gone with the next key press.
    public internal(set) var message: Message? {
        didSet { if let message, message != oldValue { remember(message) } }
    }
    /// Everything that was said in this run, the oldest first.
    public private(set) var log: [LoggedMessage] = []
    /// The commands that do in a shell what was done last; none before the first change.
    public internal(set) var lastCommands: [ShellCommand] = []
    /// Whether undo would bring something back: it does after a change, and does not after an undo that found nothing.
    /// `nil` while this menu has seen neither.
    var knowsOfUndo: Bool?
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
    /// `true` once the store has been read: what is in it then is no news.
    var isStoreRead = false
    /// The undos and redos that have been asked for and not been answered, the oldest first.
    var awaitedMoves: [Intent] = []
    /// How many activations have been asked for and not been answered.
    var awaitedActivations = 0
    /// How many changes of a context have been asked for and not been answered.
    var awaitedContexts = 0
    /// Whether what a tester decided is on disk, but a service has not said yet what follows from it.
    var awaitsContextValues = false
    /// Whether the values on the screen are still those from before a context was changed, as there are none for it.
    var showsFormerContext = false
    /// When the values in use were read.
    var loadedAt: Timestamp?
    /// The number of the next edit that is asked to be saved.
    var nextEditID = 1
    /// What keys wait for at the start; empty once it was read or has taken too long.
    var awaitedReadings: Set<FirstReading> = [.remote, .overrides]
    /// Keys that mean flags which are still being read or searched for, in the order in which they were typed.
    var typeAhead: [KeyPress] = []

    /// A menu that has been opened and has read nothing yet.
    public init(
        subject: Subject, size: Size, charset: Charset = .unicode, now: Timestamp, layers: LayerValues = LayerValues(),
        greeting: String? = nil
    ) {
        self.subject = subject
        self.size = size
        self.charset = charset
        terminalCharset = charset
        self.now = now
        board = FlagBoard(layers)
        message = greeting.map { Message(text: $0, kind: .news) }
        // Observers do not see what an initializer sets.
        if let message { remember(message) }
    }

    /// How many messages are kept: more than anybody reads back.
    private static let logLimit = 500

    private mutating func remember(_ message: Message) {
        if log.count >= Self.logLimit { log.removeFirst(log.count - Self.logLimit + 1) }
        log.append(LoggedMessage(at: now, message: message))
    }

    /// `true` when the menu may close: it is about to, and nothing that was asked for is still on its way.
    public var isFinished: Bool { ending != nil && !isWorking }

    /// `true` while a change has been asked for and not been answered.
    var isWorking: Bool {
        !pending.isEmpty || !awaitedMoves.isEmpty || awaitedActivations > 0 || awaitedContexts > 0
    }

    /// `true` when everything that was asked for has been answered, by the disk and by the remote sources.
    public var isSettled: Bool {
        !isWorking && remote != .loading && !list.isSearching && !isAwaitingReport && !isAwaitingFile
    }

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
        /// The user left by Ctrl-C.
        case interrupted
        /// There has never been anything to show; the reason is a sentence.
        case withoutSource(reason: String)
    }

    /// How the remote sources stand.
    public enum RemotePhase: Sendable, Equatable {
        /// They are being read.
        case loading
        /// They were read at this time.
        case loaded(at: Timestamp)
        /// They could not be read; values that were read at `keptFrom` are in use, if there are any.
        case failed(keptFrom: Timestamp?)
    }

    /// What stays wrong until somebody mends it, a sentence each.
    public struct Problems: Sendable, Equatable {
        /// Of sources and documents.
        public var remote: [String] = []
        /// Of the override file, as it was last read.
        public var store: String?
        /// Of the last save: why it failed, or what became of a damaged file.
        public var saving: String?
        /// Of following the store and the configuration: changes made elsewhere do not arrive by themselves.
        public var following: [String] = []

        /// The one of the override file and its saving that is to be shown.
        var overrides: String? { saving ?? store }

        var all: [String] { remote + [overrides].compactMap { $0 } + following }

        mutating func addNotFollowed(_ reason: String) {
            if !following.contains(reason) { following.append(reason) }
        }
    }

    /// Edits that are being written.
    public struct PendingEdit: Sendable, Equatable {
        let id: Int
        /// What no newer edit replaces.
        var edits: [OverrideEdit]
    }

    /// What has the keyboard.
    public enum Mode: Sendable, Equatable {
        case list
        case filter
        case options(OptionList)
        case editor(ValueEditor)
        case otherValue(ValueEditor)
        case question(BulkQuestion)
        case explanation(ExplanationSheet)
        indirect case help(ActionSheet)
        indirect case palette(ActionSheet)
        case copy(CopySheet)
        case context(ContextSheet)
        case report(ReportSheet)
        case prompt(LinePrompt)

        /// The part of the bindings table that holds in this mode.
        public var context: Binding.Context {
            switch self {
            case .list: .list
            case .filter: .filter
            case .options: .options
            case .editor(let editor): editor.isDocument ? .json : .editor
            case .otherValue: .otherValue
            case .question: .question
            case .explanation: .explanation
            case .help: .help
            case .palette: .palette
            case .copy: .copy
            case .context: .context
            case .report: .report
            case .prompt: .prompt
            }
        }
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
