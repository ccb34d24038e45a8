#if Server
import FlagRemote

extension OwnThreads {
    /// Threads for work that would keep Swift's few threads from other requests: writes, which wait for other writers and
    /// for the disk, and encoding many flags.
    static let server = OwnThreads(label: "flags.server")
}
#endif
