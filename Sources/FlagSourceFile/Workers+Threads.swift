import Dispatch
public import FlagModel

extension Workers {
    /// The system's threads, as many as there are processors.
    public static let threads = Workers { count, work in
        DispatchQueue.concurrentPerform(iterations: count, execute: work)
    }
}
