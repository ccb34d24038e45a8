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
    public let overrideFolder: String?
    /// The flags that the code declares, sorted by key.
    public let flags: [DeclaredFlag]

    /// An announcement.
    public init(
        id: String, name: String, process: Int32, startedAt: Int64, ignoredOverrides: Int? = nil,
        overrideFolder: String? = nil, flags: [DeclaredFlag]
    ) {
        self.id = id
        self.name = name
        self.process = process
        self.startedAt = startedAt
        self.ignoredOverrides = ignoredOverrides
        self.overrideFolder = overrideFolder
        self.flags = flags
    }

    /// The declaration of a key; `nil` if the app does not declare it.
    public func flag(_ key: String) -> DeclaredFlag? { flags.first { $0.key == key } }
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
        /// The values to choose from; empty if any value of the type is possible.
        public var options: [String]

        /// Facts; by default none.
        public init(
            title: String? = nil, description: String? = nil, group: String? = nil, owner: String? = nil,
            expires: String? = nil, options: [String] = []
        ) {
            self.title = title
            self.description = description
            self.group = group
            self.owner = owner
            self.expires = expires
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
    public let layer: Layer
    /// When this became the value, in milliseconds since 1970 UTC.
    public let since: Int64
    /// When the code first read the value after it became the value, in milliseconds since 1970 UTC; `nil` if it has
    /// not.
    public let readAt: Int64?
    /// Whether the code has ever read the flag.
    public let wasRead: Bool
    /// Why a value of a higher layer is not used, as a sentence; `nil` if none was rejected.
    public let rejection: String?
    /// The value that is not used; `nil` if none was rejected.
    public let rejectedValue: String?

    /// The use of a flag.
    public init(
        value: String?, layer: Layer, since: Int64, readAt: Int64?, wasRead: Bool, rejection: String? = nil,
        rejectedValue: String? = nil
    ) {
        self.value = value
        self.layer = layer
        self.since = since
        self.readAt = readAt
        self.wasRead = wasRead
        self.rejection = rejection
        self.rejectedValue = rejectedValue
    }
}
