/// The queue before a ``StoreLock``: only the first in it tries to lock, so that a busy writer does not lock again
/// before the others notice that it was free.
///
/// The queue is a lock on the folder. It is only for fairness: if a folder cannot be locked, everyone is first.
struct LockQueue: ~Copyable {
    private let folder: String
    private let files: FileOperations
    private var isAtHead = false
    /// Open while this writer is first.
    private var head: OpenFile?
    /// Microseconds to the next attempt, before jitter.
    private var wait = 500.0

    /// The longest wait behind the first, in microseconds. The first tries about every millisecond.
    private static let longestWait = 5000.0

    init(folder: String, files: FileOperations) {
        self.folder = folder
        self.files = files
    }

    /// Whether this writer may try to lock now. Once `true` it stays so.
    mutating func isFirst() -> Bool {
        guard !isAtHead else { return true }
        do throws(SystemError) {
            let file = try OpenFile(reading: folder, files: files)
            isAtHead = try file.lock()
            if isAtHead { head = consume file }
        } catch {
            isAtHead = true
        }
        return isAtHead
    }

    /// How long to wait before the next attempt, with jitter, so that writers do not retry in step.
    mutating func nextWait() -> Duration {
        if !isAtHead { wait = min(Self.longestWait, wait * 1.5) }
        return .microseconds(Int((isAtHead ? 1000 : wait) * .random(in: 0.5...1.5)))
    }
}
