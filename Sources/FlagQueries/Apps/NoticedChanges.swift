public import FlagModel

/// A change of an override while a menu is open.
public struct NoticedChange: Sendable, Hashable {
    /// The override after the change; `nil` if it was cleared.
    public let override: FlagOverride?
    /// When it was made or, if not by this menu, noticed, in milliseconds since 1970 UTC.
    public let at: Int64
    /// Whether this menu has made it.
    public let isOwn: Bool

    /// A change.
    public init(override: FlagOverride?, at time: Int64, isOwn: Bool) {
        (self.override, at, self.isOwn) = (override, time, isOwn)
    }
}

/// The last change of each override while a menu is open.
public struct NoticedChanges: Sendable, Equatable {
    /// The changes by key.
    public private(set) var byKey: FlagTable<NoticedChange> = [:]
    /// The overrides at the last reading; `nil` before the first one.
    private var overrides: FlagTable<FlagOverride>?

    /// No changes.
    public init() {}

    /// Adds changes that this menu has made.
    public mutating func make(_ changes: [OverrideChange], at time: Int64) {
        for change in changes { byKey[change.key] = NoticedChange(override: change.new, at: time, isOwn: true) }
    }

    /// Adds the changes since the last reading that this menu has not made.
    public mutating func notice(_ new: FlagTable<FlagOverride>, at time: Int64) {
        guard let old = overrides, old != new else {
            overrides = new
            return
        }
        overrides = new
        for key in new.changedKeys(from: old).map(\.string) {
            if let known = byKey[key], known.override == new[key] { continue }
            byKey[key] = NoticedChange(override: new[key], at: time, isOwn: false)
        }
    }
}
