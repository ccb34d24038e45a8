/// A hash table from keys to positions in an array that somebody else owns: 4 bytes a slot, and no copy of any key.
struct KeyIndex: Sendable {
    /// Position + 1 of a key, 0 where nothing is. The count is a power of two and at least half are free.
    private var slots: [UInt32]
    private(set) var count = 0

    init(minimumCapacity: Int = 0) {
        slots = Array(repeating: 0, count: Self.slotCount(for: minimumCapacity))
    }

    private static func slotCount(for capacity: Int) -> Int {
        var result = 8
        while result < capacity * 2 { result *= 2 }
        return result
    }

    /// The position of the key with that hash for which `isMatch` says yes.
    func position(hash: Int, where isMatch: (Int) -> Bool) -> Int? {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let position = Int(slots[slot]) - 1
            if isMatch(position) { return position }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a position whose key is not in the table; `hashes` gives the hash of every position when the table grows.
    mutating func insert(_ position: Int, hash: Int, hashes: (Int) -> Int) {
        if (count + 1) * 2 > slots.count { grow(hashes: hashes) }
        place(position, hash: hash)
        count += 1
    }

    private mutating func place(_ position: Int, hash: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(truncatingIfNeeded: position + 1)
    }

    private mutating func grow(hashes: (Int) -> Int) {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(Int(entry) - 1, hash: hashes(Int(entry) - 1)) }
    }
}
