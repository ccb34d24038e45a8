import FlagStorage

/// What the code of the app has read since the last announcement, and what has changed.
///
/// A change withdraws the value of a flag from its slot, so that the first read after the change takes the slow path
/// and is noticed; later reads stay atomic loads.
struct FlagReads {
    /// What has happened to a flag since the last announcement.
    struct Update: Sendable {
        /// When the value changed last, in milliseconds since 1970 UTC; `nil` if it did not.
        var changedAt: Int64?
        /// When the value was first read after that, in milliseconds since 1970 UTC; `nil` if it was not.
        var readAt: Int64?
        /// Whether any value was read.
        var isRead = false
    }

    /// What has happened since the last announcement, so that only these flags are announced again.
    struct Updates: Sendable {
        /// The flags that have changed or were read, by key.
        var flags: [String: Update] = [:]
        /// When any value may have changed, in milliseconds since 1970 UTC; `nil` if ``flags`` has all changes.
        var allChangedAt: Int64?
    }

    /// Whether the app announces itself. If not, nothing is recorded.
    var isTracked = false
    /// The flags that were read since their last change.
    private var isReadSince: Set<String> = []
    private var updates = Updates()
    /// Values that changed and were not read since, by slot.
    private var unread: [Int: PublishableValue] = [:]

    /// Records a change of values.
    ///
    /// - Parameter keys: the flags; `nil` if any may have changed.
    mutating func noteChange(of keys: Set<String>?) {
        let now = WallClock.milliseconds
        guard let keys else {
            isReadSince = []
            for key in updates.flags.keys { updates.flags[key]?.readAt = nil }
            return updates.allChangedAt = now
        }
        for key in keys {
            isReadSince.remove(key)
            updates.flags[key] = Update(changedAt: now, isRead: updates.flags[key]?.isRead ?? false)
        }
    }

    /// Withdraws a changed value until it is read.
    ///
    /// - Returns: the object of the previous value, to be released without a lock.
    mutating func withdraw(_ value: PublishableValue, at slot: Int, from slots: borrowing SlotTable) -> (any Sendable)?
    {
        unread[slot] = value
        return slots.withdraw(slot)
    }

    /// Publishes a withdrawn value, as it is read now; returns `false` if it was not withdrawn.
    mutating func publish(at slot: Int, to slots: borrowing SlotTable) -> Bool {
        guard let value = unread.removeValue(forKey: slot) else { return false }
        _ = value.publish(slots)
        return true
    }

    /// Records that a flag is read; returns whether that is new.
    mutating func noteRead(of key: String) -> Bool {
        guard isTracked, isReadSince.insert(key).inserted else { return false }
        let changedAt = updates.flags[key]?.changedAt
        updates.flags[key] = Update(changedAt: changedAt, readAt: WallClock.milliseconds, isRead: true)
        return true
    }

    /// Returns what has happened since the last call, as it is announced now.
    mutating func takeUpdates() -> Updates {
        defer { updates = Updates() }
        return updates
    }
}
