/// A hash table from keys to positions in an array that is stored elsewhere: 8 bytes per slot, without copies of keys.
struct KeyIndex: Sendable {
    /// A position and half of the hash of its key. Keys are compared only if these halves are equal.
    private struct Slot {
        /// The position + 1; 0 if the slot is empty.
        var entry: UInt32 = 0
        var tag: UInt32 = 0
    }

    /// The slots. At least half of them are free, and the number of slots is a power of two.
    private var slots: [Slot]
    private var count = 0

    init(minimumCapacity: Int = 0) {
        var slotCount = 8
        while slotCount < minimumCapacity * 2 { slotCount *= 2 }
        slots = Array(repeating: Slot(), count: slotCount)
    }

    /// The position with this hash for which `isMatch` returns `true`; `nil` if there is none.
    @inline(__always)
    func position(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        let tag = Self.tag(hash)
        var slot = hash & (slots.count - 1)
        while slots[slot].entry != 0 {
            let position = Int(slots[slot].entry) - 1
            if slots[slot].tag == tag, isMatch(position) { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a position whose key is not in the table; `hashes` returns the hash of a position, and is called for every
    /// position when the table grows.
    @inline(__always)
    mutating func insert(_ position: Int, hash: Int, hashes: (Int) -> Int) {
        if (count + 1) * 2 > slots.count { grow(hashes: hashes) }
        place(position, hash: hash)
        count += 1
    }

    private static func tag(_ hash: Int) -> UInt32 { UInt32(truncatingIfNeeded: hash >> 32) }

    private mutating func place(_ position: Int, hash: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot].entry != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = Slot(entry: UInt32(truncatingIfNeeded: position + 1), tag: Self.tag(hash))
    }

    private mutating func grow(hashes: (Int) -> Int) {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.entry != 0 { place(Int(slot.entry) - 1, hash: hashes(Int(slot.entry) - 1)) }
    }
}
