#if Server
import FlagModel
import FlagRemote
import Synchronization

/// The date in responses, formatted once a second.
final class ResponseDates: Sendable {
    private let last = Mutex((moment: FlagTimestamp(seconds: 0), text: ""))
    private let now: @Sendable () -> FlagTimestamp

    init(now: @escaping @Sendable () -> FlagTimestamp) { self.now = now }

    /// The current date in the format of HTTP.
    var current: String {
        let now = now()
        return last.withLock { last in
            if last.moment != now { last = (now, HTTPDate.text(now)) }
            return last.text
        }
    }
}
#endif
