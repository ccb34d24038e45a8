/// A process that has opened the flags of an app, as it announces itself to menus and commands.
public struct RunningApp: Sendable, Hashable {
    /// The version of the announcement's format.
    public static let format = 1

    /// Identifies the process; unlike ``process``, it is never used again.
    public let id: String
    /// The name of the program.
    public let name: String
    /// The process id, for people. It does not prove that the process runs, as the system uses process ids again.
    public let process: Int32
    /// When the flags were opened, in milliseconds since 1970 UTC.
    public let startedAt: Int64
    /// How many overrides the process ignores because its build does not use any; `nil` if it uses them.
    public let ignoredOverrides: Int?
    /// The folder of the overrides in use; `nil` if none are used.
    public package(set) var overrideFolder: String?
    /// The revision of the overrides in use; `nil` if it is not known.
    public package(set) var revision: Int?
    /// Whether fetched values become active only when the app is started again.
    public let activatesAtLaunch: Bool
    /// The flags that the code declares, sorted by key.
    public let flags: [DeclaredFlag]
    /// Whether the process reads sources or a team of its own.
    public let hasSources: Bool
    /// The clients of a server; empty for any other app.
    public let clients: [Client]

    /// An announcement.
    public init(
        id: String, name: String, process: Int32, startedAt: Int64, ignoredOverrides: Int? = nil,
        overrideFolder: String? = nil, revision: Int? = nil, activatesAtLaunch: Bool = false, hasSources: Bool = false,
        flags: [DeclaredFlag], clients: [Client] = []
    ) {
        self.id = id
        self.name = name
        self.process = process
        self.startedAt = startedAt
        self.ignoredOverrides = ignoredOverrides
        self.overrideFolder = overrideFolder
        self.revision = revision
        self.activatesAtLaunch = activatesAtLaunch
        self.hasSources = hasSources
        self.flags = flags.sorted { $0.key.precedes($1.key) }
        self.clients = clients
    }

    /// A client of a server.
    public struct Client: Sendable, Hashable {
        /// The client's id.
        public let name: String
        /// When it asked for the first time, in milliseconds since 1970 UTC, like all times here.
        public let firstAt: Int64
        /// When it asked for the last time.
        public let lastAt: Int64
        /// When it last asked for all flags; `nil` if it has not.
        public let allAt: Int64?
        /// Whether it has overrides of its own, which win over the shared ones.
        public let hasOwnOverrides: Bool
        /// What it got for each flag that it asked for by itself.
        public let flags: [DeclaredFlag]

        /// A client.
        public init(
            name: String, firstAt: Int64, lastAt: Int64, allAt: Int64?, hasOwnOverrides: Bool = false,
            flags: [DeclaredFlag]
        ) {
            (self.name, self.firstAt, self.lastAt, self.allAt) = (name, firstAt, lastAt, allAt)
            (self.hasOwnOverrides, self.flags) = (hasOwnOverrides, flags)
        }
    }

    /// How long a client counts as running after it has asked, in milliseconds.
    package static let clientLifetime: Int64 = 300_000

    /// The clients that have asked lately.
    package func activeClients(at now: Int64) -> [Client] { clients.filter { now - $0.lastAt < Self.clientLifetime } }

    /// The declaration of a key; `nil` if the app does not declare it.
    public func flag(_ key: String) -> DeclaredFlag? {
        // Sorted, and searched for each row of the list.
        let place = flags.partitioningIndex { !$0.key.precedes(key) }
        return place < flags.endIndex && !key.precedes(flags[place].key) ? flags[place] : nil
    }
}

/// A flag that the code of an app declares, and what the app uses.
public struct DeclaredFlag: Sendable, Hashable {
    /// What the code says about a flag besides its key, type and default.
    public struct Facts: Sendable, Hashable {
        /// The title in menus; `nil` for the key.
        public var title: String?
        /// What the flag does, in a sentence or two.
        public var description: String?
        /// The category in menus.
        public var group: String?
        /// Who looks after the flag.
        public var owner: String?
        /// The day after which the flag should be gone, such as `2027-01-31`.
        public var expires: String?
        /// Whether the app uses a new value only after it is started again.
        public var needsRestart: Bool
        /// The values to choose from; empty if any value of the type is possible.
        public var options: [String]

        /// Facts; by default none.
        public init(
            title: String? = nil, description: String? = nil, group: String? = nil, owner: String? = nil,
            expires: String? = nil, needsRestart: Bool = false, options: [String] = []
        ) {
            self.title = title
            self.description = description
            self.group = group
            self.owner = owner
            self.expires = expires
            self.needsRestart = needsRestart
            self.options = options
        }
    }

    /// The key as remote documents spell it.
    public let key: String
    /// The type that the code reads.
    public let type: FlagType
    /// The default as text; `nil` if it has no text.
    public let defaultValue: String?
    /// What else the code says.
    public let facts: Facts
    /// What the app uses; `nil` in a declaration without a running app.
    public let use: FlagUse?

    /// A declaration.
    public init(key: String, type: FlagType, defaultValue: String?, facts: Facts = Facts(), use: FlagUse? = nil) {
        self.key = key
        self.type = type
        self.defaultValue = defaultValue
        self.facts = facts
        self.use = use
    }
}

/// The value of a flag that an app uses.
public struct FlagUse: Sendable, Hashable {
    /// The value as text; `nil` if it has no text.
    public let value: String?
    /// The layer of the value.
    public let layer: FlagLayer
    /// The value of the app's team, else of its sources, as text, whether it is used or not; `nil` if they have none.
    public let remoteValue: String?
    /// When this became the value, in milliseconds since 1970 UTC.
    public let since: Int64
    /// When the code first read the value after it became the value, in milliseconds since 1970 UTC; `nil` if it has
    /// not.
    public let readAt: Int64?
    /// Whether the code has ever read the flag.
    public let wasRead: Bool
    /// The value that the code read first; `nil` if it has not read the flag, or if that value is not known. A flag that
    /// is read only at the start of the app has this value until the app ends.
    public let firstValue: String?
    /// Why a value of a higher layer is not used, as a sentence; `nil` if none was rejected.
    public let rejection: String?
    /// The value that is not used; `nil` if none was rejected.
    public let rejectedValue: String?

    /// The use of a flag.
    public init(
        value: String?, layer: FlagLayer, remoteValue: String? = nil, since: Int64, readAt: Int64?, wasRead: Bool,
        firstValue: String? = nil, rejection: String? = nil, rejectedValue: String? = nil
    ) {
        self.remoteValue = remoteValue
        self.value = value
        self.layer = layer
        self.since = since
        self.readAt = readAt
        self.wasRead = wasRead
        self.firstValue = firstValue
        self.rejection = rejection
        self.rejectedValue = rejectedValue
    }
}
