public import FlagModel

/// Where overrides that a team shares are stored: values for everyone who uses the same environment, and their history.
///
/// Local overrides win over them, and they win over remote values.
public protocol TeamLayer: Sendable {
    /// The source of the team's values. Its documents have ``FlagModel/RemoteDocument/overrides``.
    var source: any RemoteSource { get }

    /// Why the team's values cannot be changed, as a sentence; `nil` if they can.
    var readOnlyReason: String? { get }

    /// Changes the team's values; returns when the change is stored and everyone can read it.
    ///
    /// - Parameters:
    ///   - request: the change, which is made to the newest values at once.
    ///   - author: who makes the change.
    /// - Throws: an error that says whether the change was made.
    func apply(_ request: TeamRequest, by author: String) async throws(SourceError) -> TeamCommit

    /// The changes of the team's values, the newest first.
    ///
    /// - Parameter limit: the maximum number of entries; `nil` for all.
    func history(limit: Int?) async throws(SourceError) -> [TeamChange]
}

extension TeamLayer {
    /// `nil`.
    public var readOnlyReason: String? { nil }
}

/// The result of writing values of a team: the new revision, and the flags that changed.
public struct TeamCommit: Sendable, Hashable {
    /// The revision of the change; 0 if nothing had to be changed.
    public let revision: Int
    /// The flags that changed; empty if they had the values already.
    public let changes: [OverrideChange]

    /// A change that was made.
    public init(revision: Int, changes: [OverrideChange]) { (self.revision, self.changes) = (revision, changes) }
}

/// One entry in the history of the overrides that a team shares: who changed which flags, and when.
public struct TeamChange: Sendable, Hashable {
    /// The revision of the change. Later changes have higher revisions.
    public let revision: Int
    /// When the change was made, by the clock of its author's machine.
    public let at: FlagTimestamp
    /// Who made the change.
    public let by: String
    /// The action, such as `set theme`.
    public let action: String
    /// The flags that changed.
    public let changes: [OverrideChange]

    /// An entry of the history.
    public init(revision: Int, at: FlagTimestamp, by: String, action: String, changes: [OverrideChange]) {
        (self.revision, self.at, self.by, self.action, self.changes) = (revision, at, by, action, changes)
    }
}
