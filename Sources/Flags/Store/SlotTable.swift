public import Synchronization

/// The effective values of declared keys, so that reading one is an atomic load.
///
/// The number of a key is the index of its slot. Slots are in chunks. A chunk is allocated when one of its keys is
/// first read, and never moves, so a reader needs no lock to find it. A change withdraws the value from its slot, and the
/// next reader publishes the new one. The bits of a withdrawn slot stay, so `isPublished` and `bits` can be read one after
/// the other.
@usableFromInline
struct SlotTable: ~Copyable, @unchecked Sendable {
    /// The value of one key.
    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline let isPublished = Atomic<Bool>(false)
        /// A value that fits in it, such as a bool, a number or a case of an enumeration.
        @usableFromInline let bits = Atomic<UInt64>(0)
        /// A value of another type, such as a text or JSON.
        @usableFromInline let box = Mutex<(any AnyObject & Sendable)?>(nil)
        /// What views and models observe; see ``ObservableFlags``.
        let observed = AtomicLazyReference<ObservedFlag>()

        @usableFromInline init() {}
    }

    // There are 65,536 slots in total. Further keys are read without slots, which is slower.
    @usableFromInline static let chunkBits = 8
    @usableFromInline static let chunkSize = 1 << chunkBits
    @usableFromInline static let chunkCount = 256

    /// The chunks; each is allocated once, and freed with the table. Accessed only by atomic operations, so the table
    /// is Sendable although pointers are not.
    @usableFromInline let chunks: UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>>

    init() {
        chunks = .allocate(capacity: Self.chunkCount)
        for index in 0..<Self.chunkCount { (chunks + index).initialize(to: Atomic(nil)) }
    }

    deinit {
        for index in 0..<Self.chunkCount {
            guard let chunk = chunks[index].load(ordering: .acquiring) else { continue }
            chunk.assumingMemoryBound(to: Slot.self).deinitialize(count: Self.chunkSize)
            chunk.deallocate()
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

    /// Whether a value of any type is published, without a lock.
    func isPublished(_ index: Int) -> Bool { slot(index)?.pointee.isPublished.load(ordering: .acquiring) == true }

    /// Whether the values of a type are kept as bits: they are at most eight bytes and refer to nothing.
    @inlinable @inline(__always)
    static func fitsInBits<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<UInt64>.size
    }

    /// A value; `nil` until it is published.
    @inlinable @inline(__always)
    func value<Value: Sendable>(at index: Int, as type: Value.Type) -> Value? {
        guard let slot = slot(index), slot.pointee.isPublished.load(ordering: .acquiring) else { return nil }
        guard Self.fitsInBits(type) else { return slot.pointee.boxedValue() }
        let bits = slot.pointee.bits.load(ordering: .acquiring)
        return withUnsafeBytes(of: bits) { $0.loadUnaligned(as: type) }
    }

    /// What observes a flag.
    func observed(at index: Int) -> ObservedFlag? { slot(index)?.pointee.observed.load() }

    /// Keeps what observes a flag, unless there are too many keys. Must not be called concurrently.
    func keepObserved(_ observed: ObservedFlag, at index: Int) {
        _ = usedSlot(index)?.pointee.observed.storeIfNil(observed)
    }

    /// Publishes a value to readers. Must not be called concurrently.
    ///
    /// - Returns: the object of the previous value. The caller releases it without a lock, as it may have the last
    ///   reference to an object of the app.
    func publish<Value: Sendable>(_ value: Value, at index: Int) -> (any AnyObject & Sendable)? {
        guard let slot = usedSlot(index) else { return nil }
        defer { slot.pointee.isPublished.store(true, ordering: .releasing) }
        guard Self.fitsInBits(Value.self) else { return slot.pointee.replaceBox(by: Box(value)) }
        var bits: UInt64 = 0
        withUnsafeMutableBytes(of: &bits) { $0.storeBytes(of: value, as: Value.self) }
        slot.pointee.bits.store(bits, ordering: .releasing)
        return nil
    }

    /// Makes the next reader of a slot ask for its value again. Must not be called concurrently.
    ///
    /// - Returns: the object of the value, as from ``publish(_:at:)``.
    func withdraw(_ index: Int) -> (any AnyObject & Sendable)? {
        guard let slot = slot(index) else { return nil }
        slot.pointee.isPublished.store(false, ordering: .releasing)
        return slot.pointee.replaceBox(by: nil)
    }

    /// The slot of a key, whose chunk is allocated if needed; `nil` if there are too many keys.
    private func usedSlot(_ index: Int) -> UnsafeMutablePointer<Slot>? {
        index < Self.chunkSize * Self.chunkCount ? slot(index) ?? addChunk(for: index) : nil
    }

    private func addChunk(for index: Int) -> UnsafeMutablePointer<Slot> {
        let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: Self.chunkSize)
        for position in 0..<Self.chunkSize { (chunk + position).initialize(to: Slot()) }
        chunks[index >> Self.chunkBits].store(UnsafeMutableRawPointer(chunk), ordering: .releasing)
        return chunk + index & (Self.chunkSize - 1)
    }
}

extension SlotTable.Slot {
    /// The value of another type; `nil` if it was withdrawn.
    @inlinable
    borrowing func boxedValue<Value: Sendable>() -> Value? {
        // Each slot belongs to one declaration, which has one type. The value is copied with the lock, so that no
        // reference to its object is counted.
        box.withLock { box in box.map { unsafeDowncast($0, to: Box<Value>.self).value } }
    }

    /// Replaces the value of another type, and returns the old one, to be released without the lock.
    fileprivate borrowing func replaceBox(by new: (any AnyObject & Sendable)?) -> (any AnyObject & Sendable)? {
        box.withLock { box in
            defer { box = new }
            return box
        }
    }
}

/// A value that does not fit in the bits of a slot.
@usableFromInline
final class Box<Value: Sendable>: Sendable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }
}
