import Synchronization

/// How to do several things at once. The model has no threads; who has some hands them in.
public struct Workers: Sendable {
    /// Calls `work` with each number below `count`, in any order and possibly at once, and returns when all are done.
    public typealias Perform = @Sendable (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void

    /// Is told of memory that is going to be filled from its start, before it is touched.
    public typealias Prepare = @Sendable (UnsafeRawBufferPointer) -> Void

    private let perform: Perform
    private let prepare: Prepare

    /// Workers that `perform` starts.
    ///
    /// - Parameter prepare: may ask the system for large pages: handing out small ones takes longer than filling them.
    public init(_ perform: @escaping Perform, prepare: @escaping Prepare = { _ in }) {
        self.perform = perform
        self.prepare = prepare
    }

    /// One thing after the other, on the thread that asks.
    public static let none = Workers { count, work in (0..<count).forEach(work) }

    /// Has the memory prepared that an empty array has reserved.
    func prepare<Element>(_ reserved: inout [Element]) {
        let capacity = reserved.capacity
        reserved.withUnsafeMutableBufferPointer { room in
            guard let start = room.baseAddress else { return }
            prepare(UnsafeRawBufferPointer(start: start, count: capacity * MemoryLayout<Element>.stride))
        }
    }

    /// The answers of both questions, asked at once. Both have to work on their own things: two threads that count
    /// references to one object are slower than one.
    func both<First: Sendable, Second: Sendable>(
        _ first: @Sendable () -> First, _ second: @Sendable () -> Second
    ) -> (First, Second) {
        let answers = Mutex<(First?, Second?)>((nil, nil))
        perform(2) { number in
            if number == 0 {
                let answer = first()
                answers.withLock { $0.0 = answer }
            } else {
                let answer = second()
                answers.withLock { $0.1 = answer }
            }
        }
        let (one, other) = answers.withLock { $0 }
        return (one ?? first(), other ?? second())
    }
}
