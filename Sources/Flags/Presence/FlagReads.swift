import FlagStorage

/// What the code of the app has read since the last announcement, and what has changed.
///
/// A change withdraws the value of a flag from its slot, so that the first read after the change takes the slow path
/// and is noticed; later reads stay atomic loads.
struct FlagReads {
    /// Whether the app announces itself. If not, nothing is recorded.
    var isTracked = false
    /// The flags that were ever read.
    private(set) var everRead: Set<String> = []
    /// When each flag was first read after its last change, in milliseconds since 1970 UTC.
    private(set) var readAt: [String: Int64] = [:]
    /// When the values of flags changed since the last announcement, in milliseconds since 1970 UTC.
    private(set) var changedAt: [String: Int64] = [:]
    /// When any value may have changed since the last announcement; `nil` if ``changedAt`` has all changes.
    private(set) var allChangedAt: Int64?
    /// Values that changed and were not read since, by slot.
    private var unread: [Int: PublishableValue] = [:]

    /// Records a change of values.
    ///
    /// - Parameter keys: the flags; `nil` if any may have changed.
    mutating func noteChange(of keys: Set<String>?) {
        let now = WallClock.milliseconds
        guard let keys else {
            (allChangedAt, readAt) = (now, [:])
            return
        }
        for key in keys { (changedAt[key], readAt[key]) = (now, nil) }
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
        guard isTracked, readAt[key] == nil else { return false }
        readAt[key] = WallClock.milliseconds
        everRead.insert(key)
        return true
    }

    /// Forgets the changes, as they are announced.
    mutating func takeChanges() { (changedAt, allChangedAt) = ([:], nil) }
}
