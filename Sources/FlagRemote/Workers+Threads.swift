import Dispatch
public import FlagModel
import Platform

extension Workers {
    /// The system's threads, as many as there are processors.
    public static let threads = Workers(
        { count, work in DispatchQueue.concurrentPerform(iterations: count, execute: work) },
        prepare: { LargePages.advise($0) })
}

/// Memory in pages of 2 MB, where the system has them. Of the time to fill 20 MB nearly half goes into handing out small
/// pages.
enum LargePages {
    /// Below this many bytes there is nothing to gain.
    private static let threshold = 4 << 20
    private static let pageSize = 4096

    /// Asks for them. It is advice: where it is not taken, pages are small.
    static func advise(_ room: UnsafeRawBufferPointer) {
        #if os(Linux)
            guard room.count > threshold, let start = room.baseAddress else { return }
            let skipped = (pageSize - Int(bitPattern: start) % pageSize) % pageSize
            let place = UnsafeMutableRawPointer(mutating: start + skipped)
            _ = madvise(place, (room.count - skipped) / pageSize * pageSize, MADV_HUGEPAGE)
        #endif
    }
}
