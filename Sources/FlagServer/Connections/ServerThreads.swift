#if Server
import FlagRemote

extension OwnThreads {
    /// Threads for work that would keep an event loop from other requests: writes, which wait for other writers and for
    /// the disk, and encoding many flags.
    static let server = OwnThreads(label: "flags.server")
}
#endif
