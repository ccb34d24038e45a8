/// The queue before a ``StoreLock``: only who is first in it tries for the lock, so that a writer which writes again and
/// again does not take the lock before the others notice that it was free.
///
/// Being first is a lock on the folder. It is fairness and nothing else: where a folder cannot be locked, everybody is
/// first.
struct LockQueue: ~Copyable {
    private let folder: String
    private let files: FileOperations
    private var isAtHead = false
    /// Held open for as long as this writer is first.
    private var head: OpenFile?
    /// Microseconds to the next attempt, before they are scattered.
    private var wait = 500.0

    /// The longest wait of those behind the first, in microseconds. The first tries every millisecond or so.
    private static let longestWait = 5000.0

    init(folder: String, files: FileOperations) {
        self.folder = folder
        self.files = files
    }

    /// Whether the lock may be tried for now. Once `true` it stays so until the value ends.
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

    /// How long to wait before the next attempt: scattered, so that writers do not march in step.
    mutating func nextWait() -> Duration {
        if !isAtHead { wait = min(Self.longestWait, wait * 1.5) }
        return .microseconds(Int((isAtHead ? 1000 : wait) * .random(in: 0.5...1.5)))
    }
}
