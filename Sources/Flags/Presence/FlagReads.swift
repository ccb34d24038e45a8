import FlagModel
import FlagStorage

/// What the code of the app has read since the last announcement, and what has changed.
///
/// A change withdraws the value of a flag from its slot, so that the first read after the change takes the slow path
/// and is noticed; later reads stay atomic loads.
struct FlagReads {
    /// A value that the code has read, and when, in milliseconds since 1970 UTC.
    struct Read: Sendable {
        let value: ReadValue
        let at: Int64
    }

    /// What has happened to a flag since the last announcement.
    struct Update: Sendable {
        /// When the value changed last, in milliseconds since 1970 UTC; `nil` if it did not.
        var changedAt: Int64?
        /// The value that was read first, which may have changed since; `nil` if none was read.
        var firstRead: Read?
        /// The value that was read last, which may have changed since; `nil` if none was read.
        var lastRead: Read?
        /// Whether ``lastRead`` is a read of the current value.
        var isCurrentRead = false
    }

    /// What has happened since the last announcement, so that only these flags are announced again.
    struct Updates: Sendable {
        /// The flags that have changed or were read, by key.
        var flags: FlagTable<Update> = [:]
        /// When any value may have changed, in milliseconds since 1970 UTC; `nil` if ``flags`` has all changes.
        var allChangedAt: Int64?
    }

    /// Whether the app announces itself. If not, nothing is recorded.
    var isTracked = false
    /// The flags that were read since their last change.
    private var isReadSince: Set<FlagText> = []
    private var updates = Updates()

    /// Records a change of values.
    ///
    /// - Parameter keys: the flags; `nil` if any may have changed.
    mutating func noteChange(of keys: Set<FlagText>?) {
        let now = WallClock.milliseconds
        guard let keys else {
            isReadSince = []
            for key in updates.flags.keys { updates.flags[key]?.isCurrentRead = false }
            return updates.allChangedAt = now
        }
        for key in keys {
            isReadSince.remove(key)
            updates.flags[key.string, default: Update()].changedAt = now
            updates.flags[key.string]?.isCurrentRead = false
        }
    }

    /// Whether a read of the current value is recorded.
    func isRead(_ key: String) -> Bool { isReadSince.contains(FlagText(key)) }

    /// Records that the current value of a flag is read; returns whether that is new.
    mutating func noteRead(of key: String, _ value: ReadValue) -> Bool {
        guard isTracked, isReadSince.insert(FlagText(key)).inserted else { return false }
        note(value, of: key)
        updates.flags[key]?.isCurrentRead = true
        return true
    }

    /// Records that a value of a flag is read that may have changed since; returns whether that is new.
    mutating func notePastRead(of key: String, _ value: ReadValue) -> Bool {
        guard isTracked, !isReadSince.contains(FlagText(key)) else { return false }
        note(value, of: key)
        return true
    }

    private mutating func note(_ value: ReadValue, of key: String) {
        let read = Read(value: value, at: WallClock.milliseconds)
        var update = updates.flags[key] ?? Update()
        update.firstRead = update.firstRead ?? read
        update.lastRead = read
        updates.flags[key] = update
    }

    /// Returns what has happened since the last call, as it is announced now.
    mutating func takeUpdates() -> Updates {
        defer { updates = Updates() }
        return updates
    }
}

/// What the code has read: the text of a value, and its layer.
struct ReadValue: Sendable, Equatable {
    /// The text; `nil` if the value has none.
    let text: String?
    let layer: FlagLayer
}
