public import Synchronization

/// The effective values of declared keys, so that reading one is an atomic load.
///
/// A slot belongs to a key, by the key's number. Slots are in chunks that are allocated when one of their keys is first
/// read and that never move, so a reader needs no lock. A published slot is never empty again: the presence flag of a
/// value and its bits may therefore be read one after the other.
@usableFromInline
struct SlotTable: ~Copyable, @unchecked Sendable {
    /// A switch as 0 or 1, or the bits of a number.
    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline let isPublished = Atomic<Bool>(false)
        @usableFromInline let bits = Atomic<UInt64>(0)

        @usableFromInline init() {}
    }

    /// 65,536 keys in total. Further keys are read without slots, which is slower.
    @usableFromInline static let chunkBits = 8
    @usableFromInline static let chunkSize = 1 << chunkBits
    @usableFromInline static let chunkCount = 256

    /// The chunks; each is allocated and written once. Pointers are not Sendable; these are only accessed by atomic
    /// operations, and freed with the store.
    @usableFromInline let chunks: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>
    /// Values that fit no slot: texts, JSON, variants.
    private let boxes = Mutex<[Int: any AnyObject & Sendable]>([:])

    init() {
        chunks = .allocate(capacity: Self.chunkCount)
        for index in 0..<Self.chunkCount { (chunks + index).initialize(to: Atomic(nil)) }
    }

    deinit {
        for index in 0..<Self.chunkCount {
            if let chunk = chunks[index].load(ordering: .acquiring) {
                // Atomics need no deinitialization.
                chunk.deallocate()
            }
        }
        chunks.deinitialize(count: Self.chunkCount)
        chunks.deallocate()
    }

    /// The slot of a key; `nil` until its chunk is allocated.
    @inlinable @inline(__always)
    func slot(_ index: Int) -> UnsafeMutablePointer<Slot>? {
        guard index < Self.chunkSize * Self.chunkCount else { return nil }
        let chunk = chunks[index >> Self.chunkBits].load(ordering: .acquiring)
        return chunk.map { $0.assumingMemoryBound(to: Slot.self) + index & (Self.chunkSize - 1) }
    }

    /// The bits of a switch or a number; `nil` until they are published.
    @inlinable @inline(__always)
    func bits(at index: Int) -> UInt64? {
        guard let slot = slot(index), slot.pointee.isPublished.load(ordering: .acquiring) else {
            return nil
        }
        return slot.pointee.bits.load(ordering: .relaxed)
    }

    /// A value of any type; `nil` until it is published.
    func value<Value: Sendable>(at index: Int, as type: Value.Type) -> Value? {
        // Generic callers also read switches and numbers here, such as the property wrapper.
        if type == Bool.self { return bits(at: index).map { unsafeBitCast($0 != 0, to: type) } }
        if type == Int.self { return bits(at: index).map { unsafeBitCast(Int(truncatingIfNeeded: $0), to: type) } }
        if type == Double.self { return bits(at: index).map { unsafeBitCast(Double(bitPattern: $0), to: type) } }
        // A slot belongs to one declaration, and that has one type.
        return boxes.withLock { $0[index] }.map { unsafeDowncast($0, to: Box<Value>.self).value }
    }

    /// Publishes a value to readers. The store serializes callers.
    ///
    /// - Returns: the previous object, to be released outside the lock: it may be the last reference to an object of
    ///   the app.
    func publish<Value: Sendable>(_ value: Value, at index: Int) -> (any AnyObject & Sendable)? {
        // By the declared type, as readers look it up: a cast alone would treat an optional with a number as a number.
        if Value.self == Bool.self, let value = value as? Bool {
            store(value ? 1 : 0, at: index)
        } else if Value.self == Int.self, let value = value as? Int {
            store(UInt64(bitPattern: Int64(value)), at: index)
        } else if Value.self == Double.self, let value = value as? Double {
            store(value.bitPattern, at: index)
        } else {
            let new = Box(value)
            return boxes.withLock { boxes in
                defer { boxes[index] = new }
                return boxes[index]
            }
        }
        return nil
    }

    private func store(_ bits: UInt64, at index: Int) {
        guard index < Self.chunkSize * Self.chunkCount else { return }
        let slot = slot(index) ?? addChunk(for: index)
        slot.pointee.bits.store(bits, ordering: .relaxed)
        slot.pointee.isPublished.store(true, ordering: .releasing)
    }

    private func addChunk(for index: Int) -> UnsafeMutablePointer<Slot> {
        let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: Self.chunkSize)
        for position in 0..<Self.chunkSize { (chunk + position).initialize(to: Slot()) }
        chunks[index >> Self.chunkBits].store(UnsafeMutableRawPointer(chunk), ordering: .releasing)
        return chunk + index & (Self.chunkSize - 1)
    }
}

/// A value that fits no slot.
private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
