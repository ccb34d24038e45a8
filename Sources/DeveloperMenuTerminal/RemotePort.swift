public import DeveloperMenu
public import FlagModel

/// How the menu reaches its remote sources. All closures but `fetch` and `refresh` are called off the terminal's thread,
/// one at a time, and wait for nobody; those two ask, which may take its time, and are cancelled like any task.
public struct RemotePort: Sendable {
    /// Takes in what was asked for, in turn with the closures of the port, and tells what happened.
    public typealias Taking = @Sendable () -> Event?
    /// Asks sources. `nil` where there was nothing to ask, or nothing is left to be taken in.
    public typealias Asking = @Sendable (Asker) async -> Taking?

    /// Who has sources asked, and hears of them meanwhile.
    public struct Asker: Sendable {
        /// Tells how far it is.
        public let post: @Sendable (Event) -> Void
        /// Takes in what some sources have answered while others are still being asked.
        public let takeIn: @Sendable (@escaping Taking) -> Void

        /// An asker made of closures.
        public init(
            post: @escaping @Sendable (Event) -> Void, takeIn: @escaping @Sendable (@escaping Taking) -> Void
        ) {
            self.post = post
            self.takeIn = takeIn
        }
    }

    /// Reads the values that hold: when the menu opens, and whenever `follow` tells that there may be others. `nil` where
    /// nothing is known before `refresh` has asked.
    public let open: @Sendable () -> Event?
    /// Reads the sources again and keeps what they say for activation.
    public let fetch: Asking
    /// Makes what was fetched last the values that hold.
    public let activate: @Sendable () -> Event
    /// Stores what was read, after it is on the screen; answers only where that is not possible.
    public let keep: @Sendable () -> Event?
    /// Tells whenever other values may hold than this port has answered with, and answers with what ends that.
    public let follow: @Sendable (_ onChange: @escaping @Sendable () -> Void) throws -> @Sendable () -> Void
    /// Asks what lies behind a network, once the menu shows what it said last; posts `remoteLoadStarted` before it asks.
    /// `nil` where nothing does.
    public let refresh: Asking?
    /// How every source stands now; empty where that is not known of each.
    public let standing: @Sendable () -> [SourceStanding]
    /// Follows sources that change while the menu is open, until the closure that it answers with is called. `nil` where
    /// there are none.
    public let followServices: (@Sendable (Following) -> @Sendable () -> Void)?

    /// Puts on disk what a tester decides about a source, and answers with the values that hold by it, as far as they are
    /// known without asking. `refresh` comes after it.
    public let changeContext: @Sendable (_ change: ContextChange) -> Event

    /// What a port needs in order to follow sources.
    public struct Following: Sendable {
        /// Does work that waits for nobody, behind all that was asked of the port before.
        public let inTurn: @Sendable (@escaping @Sendable () -> Void) -> Void
        /// Tells the menu.
        public let post: @Sendable (Event) -> Void
        /// Calls `refresh`, as sources are evaluated for somebody else by now, whom they were not asked about.
        public let refresh: @Sendable () -> Void

        /// The menu's side.
        public init(
            inTurn: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
            post: @escaping @Sendable (Event) -> Void, refresh: @escaping @Sendable () -> Void
        ) {
            self.inTurn = inTurn
            self.post = post
            self.refresh = refresh
        }
    }

    /// A port made of closures.
    public init(
        open: @escaping @Sendable () -> Event?, fetch: @escaping Asking,
        activate: @escaping @Sendable () -> Event, keep: @escaping @Sendable () -> Event? = { nil },
        follow: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> @Sendable () -> Void = { _ in {} },
        refresh: Asking? = nil,
        followServices: (@Sendable (Following) -> @Sendable () -> Void)? = nil,
        standing: @escaping @Sendable () -> [SourceStanding] = { [] },
        changeContext: @escaping @Sendable (_ change: ContextChange) -> Event = { _ in
            .contextRefused(reason: "The app decides for whom its flags are evaluated. Nothing was changed.")
        }
    ) {
        self.changeContext = changeContext
        self.standing = standing
        self.refresh = refresh
        self.followServices = followServices
        self.keep = keep
        self.follow = follow
        self.open = open
        self.fetch = fetch
        self.activate = activate
    }
}
