/// A value set by hand, on this machine or for a team, which wins over the remote value until it is cleared.
public struct FlagOverride: Sendable, Hashable {
    /// The text that apps read instead of the remote value.
    public var value: String
    /// The time at which the override was set, if known.
    public var setAt: FlagTimestamp?
    /// The author, if known.
    public var setBy: String?
    /// Why the override exists; `nil` if nobody said. Private: never sent to a service.
    public var note: String?
    /// When the override ends by itself; `nil` if it stays until it is reset.
    public var end: OverrideEnd?

    /// The end of the name of an author that is an agent, and not a user.
    package static let agentMark = " (agent)"

    /// An override, by default of unknown time and author.
    public init(
        value: String, setAt: FlagTimestamp? = nil, setBy: String? = nil, note: String? = nil, end: OverrideEnd? = nil
    ) {
        self.value = value
        self.setAt = setAt
        self.setBy = setBy
        self.note = note
        self.end = end
    }
}
