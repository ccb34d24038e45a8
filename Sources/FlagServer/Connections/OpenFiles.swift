#if Server
import Platform

/// The limit on the number of files that the process may open. Each connection is one.
enum OpenFiles {
    /// Files for everything except connections: the store, its watches, the sources, and the runtime.
    private static let others = 100
    /// More than this helps nobody, and some systems have no limit.
    private static let enough: rlim_t = 10_000

    /// Raises the limit as far as the system allows.
    ///
    /// - Returns: how many connections may be open. Without a free file, a process cannot even report an error.
    static func limitConnections(to wanted: Int) -> Int {
        var limits = rlimit()
        #if canImport(Darwin)
        let files = RLIMIT_NOFILE
        #else
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(files, &limits) == 0 else { return wanted }
        if limits.rlim_cur < enough {
            var raised = limits
            raised.rlim_cur = min(enough, limits.rlim_max)
            if setrlimit(files, &raised) == 0 { limits = raised }
        }
        return max(1, min(wanted, Int(min(limits.rlim_cur, enough)) - others))
    }
}
#endif
