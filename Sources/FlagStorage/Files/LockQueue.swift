/// The queue before a ``StoreLock``: only the first writer in the queue tries to lock, so that a busy writer cannot
/// lock again before other writers notice that the lock was free.
///
/// The first writer is the one that has locked the folder. The queue only adds fairness: if locking fails, every writer
/// counts as first.
struct LockQueue: ~Copyable {
    private let folder: String
    private let files: FileOperations
    private var isAtHead = false
    /// The locked folder while this writer is first.
    private var lockedFolder: OpenFile?
    /// The wait of a writer that is not first, in microseconds and without jitter.
    private var wait = 500.0

    /// The maximum wait of a writer that is not first, in microseconds. The first writer waits about a millisecond.
    private static let longestWait = 5000.0

    init(folder: String, files: FileOperations) {
        self.folder = folder
        self.files = files
    }

    /// Tries to become first; returns `true` if this writer is first and may try to lock.
    mutating func isFirst() -> Bool {
        guard !isAtHead else { return true }
        do throws(SystemError) {
            let file = try OpenFile(reading: folder, files: files)
            isAtHead = try file.lock()
            if isAtHead { lockedFolder = consume file }
        } catch {
            isAtHead = true
        }
        return isAtHead
    }

    /// The time to wait before the next attempt, with jitter so that writers do not retry in step.
    mutating func nextWait() -> Duration {
        if !isAtHead { wait = min(Self.longestWait, wait * 1.5) }
        return .microseconds(Int((isAtHead ? 1000 : wait) * .random(in: 0.5...1.5)))
    }
}
