public import FlagModel
public import FlagRemote
public import Logging

extension FlagStore {
    /// What an app can choose when it opens its flags. Everything has a default.
    public struct Options: Sendable {
        /// Whether launch values, overrides and team values are used; see ``FlagStore/setAccess(_:)``.
        public var overrides: OverrideAccess
        /// Keys that menus list before the code first reads them; see ``FlagNamespace``.
        public var declares: [any DeclaredKey]
        /// Default values by key, used if no source has the key. They win over the defaults of declared keys.
        public var defaults: FlagTable<String>
        /// Values for this run only, which win over all others. Those in the environment variable `FLAGMENU_LAUNCH` are
        /// added, and win.
        public var launch: FlagTable<String>
        /// Overrides that a team shares, such as in etcd. Overrides of this machine win over them.
        public var team: (any TeamLayer)?
        /// Whether menus and commands see that the app runs, and which values it uses. If overrides are closed, the app
        /// only says how many overrides it ignores, if a menu was used with it before it was opened.
        public var announces: Bool
        /// When fetched values become active; with `.nextLaunch`, also those of ``FlagStore/updateRemote(_:)``.
        public var activation: Activation
        /// The age up to which fetched values are not requested again; by default 12 hours, as in Firebase's clients. Use
        /// zero while developing.
        public var minimumFetchInterval: Duration
        /// The folder of overrides; by default, `FLAGMENU_STORE` or the folder that `flagmenu --app` uses. The app
        /// announces itself in both, so that menus see where its overrides are. By default, a process that runs tests has
        /// its overrides in memory, and announces nothing.
        public var storeDirectory: String?
        /// The folder of cached remote values; by default, the app's folder in the user's cache.
        public var cacheDirectory: String?
        /// Time and randomness; by default, those of the system.
        public var clock: SourceClock
        /// Logs active overrides, invalid values, and unreadable files.
        public var logger: Logger

        /// Options; see the properties.
        public init(
            overrides: OverrideAccess = .closed, declares: [any DeclaredKey] = [], defaults: FlagTable<String> = [:],
            launch: FlagTable<String> = [:], team: (any TeamLayer)? = nil, announces: Bool = true,
            activation: Activation = .immediately, minimumFetchInterval: Duration = .seconds(12 * 3_600),
            storeDirectory: String? = nil, cacheDirectory: String? = nil, clock: SourceClock = .system,
            logger: Logger = Logger(label: "flags")
        ) {
            (self.overrides, self.declares, self.defaults, self.launch) = (overrides, declares, defaults, launch)
            (self.team, self.announces, self.activation) = (team, announces, activation)
            self.minimumFetchInterval = minimumFetchInterval
            (self.storeDirectory, self.cacheDirectory) = (storeDirectory, cacheDirectory)
            (self.clock, self.logger) = (clock, logger)
        }
    }
}
